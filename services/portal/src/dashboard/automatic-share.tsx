import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { approvalsQueryOf } from '../api/approval-policies.js';
import { useApi, useRole } from '../api/api.js';
import { useFormats, useTexts } from '../language/language.js';
import { percentOf } from './counts.js';
import { DASHBOARD } from './texts.js';
import classes from './dashboard.module.css';

/** Share of automatic approvals, for internal users. Empty if there were no approvals. */
export function AutomaticShare() {
  const texts = useTexts(DASHBOARD);
  const { quantity } = useFormats();
  const { client } = useApi();
  const role = useRole();
  const isInternal = role !== undefined && role !== 'VENDOR';
  const { data } = useQuery({ ...approvalsQueryOf(client), enabled: isInternal });
  if (!data || data.approved === 0) return null;
  return (
    <Link to="/approval-policies" className={classes.automatic}>
      {texts.automatic(percentOf(data.automatic, data.approved), quantity(data.approved), data.days)}
    </Link>
  );
}
