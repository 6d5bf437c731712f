import { Link } from '@tanstack/react-router';
import type { OrderSummary } from '../../api/schemas.js';
import { DueLabel } from '../../components/order/due-label.js';
import { Flags } from '../../components/order/flags.js';
import { StatusBadge } from '../../components/order/status-badge.js';
import type { Formats } from '../../language/formats.js';
import styles from '../../theme/text.module.css';
import table from '../../theme/table.module.css';
import type { ColumnId } from './columns.js';

export type Cells = Readonly<Record<ColumnId, (order: OrderSummary) => React.ReactNode>>;

/** Clips free text of any length, to leave room for other columns. */
const Clipped = ({ text }: { text: string | null }) =>
  text === null ? (
    <span className={styles.quiet}>–</span>
  ) : (
    <span className={table.clipped} title={text}>
      {text}
    </span>
  );

export const cellsOf = (formats: Formats): Cells => ({
  poNumber: ({ poRef, poNumber }) => (
    <Link to="/orders/$poRef" params={{ poRef }} state={{ fromList: true }} className={table.link}>
      {poNumber}
    </Link>
  ),
  status: (order) => <StatusBadge status={order} />,
  flags: (order) => <Flags order={order} />,
  vendor: ({ vendor }) => <Clipped text={vendor} />,
  poDate: ({ poDate }) => formats.date(poDate),
  originalXfd: ({ originalXfd }) => formats.date(originalXfd),
  xfDate: ({ xfDate }) => formats.date(xfDate),
  due: (order) => <DueLabel order={order} isShort />,
  lineCount: ({ lineCount }) => formats.quantity(lineCount),
  qty: ({ totalQty }) => formats.quantity(totalQty),
  amount: ({ currency, amount }) => (
    <>
      <span className={styles.quiet}>{currency}</span> {formats.amount(amount)}
    </>
  ),
  containerNumber: ({ containerNumber }) => <Clipped text={containerNumber} />,
  trackingNumber: ({ trackingNumber }) => <Clipped text={trackingNumber} />,
  updatedAt: ({ updatedAt }) => formats.instant(updatedAt),
});
