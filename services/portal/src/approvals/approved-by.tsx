import { IconBolt } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRole } from '../api/api.js';
import { dictionary } from '../language/dictionary.js';
import { useTexts } from '../language/language.js';
import type { AutomaticApproval } from './automatic-approval.js';
import styles from '../theme/text.module.css';
import classes from './approvals.module.css';

const APPROVALS = dictionary({
  automatic: ['Automatic', '自动'],
  defaultPolicy: ['Default approval policy', '默认审批规则'],
  policyOf: (vendorCode: string) => [`Approval policy ${vendorCode}`, `审批规则 ${vendorCode}`],
  version: (version: number) => [`version ${version}`, `版本 ${version}`],
  after: (version: string) => [`, ${version}`, `，${version}`],
});

/** Names of the approving policy, with and without its version. They omit the tolerances, because vendors read them too. */
export function useApprovalWords() {
  const texts = useTexts(APPROVALS);
  const policyName = (policy: string) => (policy === 'default' ? texts.defaultPolicy : texts.policyOf(policy));
  return {
    policyName,
    by: ({ policy, version }: AutomaticApproval) => `${policyName(policy)}${texts.after(texts.version(version))}`,
  };
}

/** The approving policy and its version. Internal users get a link; vendors cannot open the page of policies. */
export function ApprovedBy({ approval }: { approval: AutomaticApproval }) {
  const texts = useTexts(APPROVALS);
  const { policyName, by } = useApprovalWords();
  const role = useRole();
  const { policy, version } = approval;
  if (role === undefined || role === 'VENDOR') return by(approval);
  return (
    <>
      <Link to="/approval-policies" hash={policy} className={styles.link}>
        {policyName(policy)}
      </Link>
      {texts.after(texts.version(version))}
    </>
  );
}

export function AutomaticBadge() {
  const texts = useTexts(APPROVALS);
  return (
    <span className={classes.badge}>
      <IconBolt size={12} aria-hidden />
      {texts.automatic}
    </span>
  );
}
