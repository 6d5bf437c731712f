import { useTexts } from '../language/language.js';
import type { AutomaticApproval } from './automatic-approval.js';
import { APPROVALS } from './texts.js';

/** What an automatic approval is called: its policy, and that with its version. No limit: vendors read it. */
export function useApprovalWords() {
  const texts = useTexts(APPROVALS);
  const policyName = (policy: string) => (policy === 'default' ? texts.defaultPolicy : texts.policyOf(policy));
  return {
    policyName,
    by: ({ policy, version }: AutomaticApproval) => `${policyName(policy)}${texts.after(texts.version(version))}`,
  };
}
