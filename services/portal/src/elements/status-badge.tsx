import { useLanguage } from '../language/language.js';
import { STATUS_COLORS, UNKNOWN_STATUS } from '../theme/status-colors.js';
import classes from './elements.module.css';

/** A status of an order as the API tells it. */
export interface Status {
  statusId: number;
  status: string;
  statusZh: string;
}

/** The status in the user's language: never by its colour alone. */
export function StatusBadge({ status: { statusId, status, statusZh } }: { status: Status }) {
  const { language } = useLanguage();
  const known = Object.hasOwn(STATUS_COLORS, statusId) ? statusId : UNKNOWN_STATUS;
  return (
    <span
      className={classes.status}
      style={{ color: `var(--status-${known}-text)`, background: `var(--status-${known}-ground)` }}
    >
      <span className={classes.dot} style={{ background: `var(--status-${known}-dot)` }} />
      {language === 'zh' ? statusZh : status}
    </span>
  );
}
