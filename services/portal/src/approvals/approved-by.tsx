import { Link } from '@tanstack/react-router';
import { useRole } from '../api/use-me.js';
import { useTexts } from '../language/language.js';
import type { AutomaticApproval } from './automatic-approval.js';
import { APPROVALS } from './texts.js';
import { useApprovalWords } from './use-approval-words.js';
import classes from './approvals.module.css';

/** Which policy approved, in which version. Internal users are led to it; vendors have no page of it. */
export function ApprovedBy({ approval }: { approval: AutomaticApproval }) {
  const texts = useTexts(APPROVALS);
  const { policyName, by } = useApprovalWords();
  const role = useRole();
  const { policy, version } = approval;
  if (role === undefined || role === 'VENDOR') return by(approval);
  return (
    <>
      <Link to="/approval-policies" hash={policy} className={classes.link}>
        {policyName(policy)}
      </Link>
      {texts.after(texts.version(version))}
    </>
  );
}
