import type { OrderSummary } from '../../api/schemas.js';
import { useLanguage } from '../../language/language.js';
import { STATUS_COLORS, UNKNOWN_STATUS } from '../../theme/status-colors.js';
import classes from '../components.module.css';

/** The status as text in the user's language, not by color alone. */
export function StatusBadge({
  status: { statusId, status, statusZh },
}: {
  status: Pick<OrderSummary, 'statusId' | 'status' | 'statusZh'>;
}) {
  const { localized } = useLanguage();
  const known = knownOf(statusId);
  return (
    <span
      className={classes.status}
      style={{ color: `var(--status-${known}-text)`, background: `var(--status-${known}-ground)` }}
    >
      <StatusDot statusId={statusId} />
      {localized(status, statusZh)}
    </span>
  );
}

export const StatusDot = ({ statusId }: { statusId: number }) => (
  <span className={classes.dot} style={{ background: statusColor(statusId) }} />
);

/** Color of a status in charts and dots. */
export const statusColor = (statusId: number): string => `var(--status-${knownOf(statusId)}-dot)`;

const knownOf = (statusId: number): number => (Object.hasOwn(STATUS_COLORS, statusId) ? statusId : UNKNOWN_STATUS);
