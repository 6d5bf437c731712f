import { useTexts } from '../language/language.js';
import { POLICIES } from './texts.js';

/** What a policy is called: its vendor's code, or the default. */
export function usePolicyTitle() {
  const texts = useTexts(POLICIES);
  return (vendorCode: string | null): string => vendorCode ?? texts.defaultTitle;
}
