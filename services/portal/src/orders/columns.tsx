import { createColumnHelper, tableFeatures } from '@tanstack/react-table';
import { Link } from '@tanstack/react-router';
import type { OrderSummary } from '../api/schemas.js';
import { Flags } from '../elements/flags.js';
import { StatusBadge } from '../elements/status-badge.js';
import type { Formats } from '../language/formats.js';
import type { TERMS } from '../language/terms.js';
import table from '../theme/table.module.css';
import type { ColumnId } from './column-choice.js';
import type { ORDERS } from './texts.js';

type Terms = (typeof TERMS)['en'];
type Texts = (typeof ORDERS)['en'];

export const FEATURES = tableFeatures({});
const helper = createColumnHelper<typeof FEATURES, OrderSummary>();

/** What columns are called. */
export const columnNames = (terms: Terms, texts: Texts): Record<ColumnId, string> => ({
  poNumber: terms.poNumber,
  status: terms.status,
  flags: texts.flags,
  vendor: terms.vendor,
  poDate: terms.poDate,
  originalXfd: terms.originalXfd,
  xfDate: terms.xfDate,
  lineCount: texts.lineCount,
  qty: terms.quantity,
  amount: terms.amount,
  containerNumber: terms.container,
  trackingNumber: terms.tracking,
  updatedAt: terms.updated,
});

/** What others name as long as they like leaves room for the rest. */
const Clipped = ({ text }: { text: string | null }) =>
  text === null ? (
    <span className={table.quiet}>–</span>
  ) : (
    <span className={table.clipped} title={text}>
      {text}
    </span>
  );

const cellsOf = (formats: Formats): Record<ColumnId, (order: OrderSummary) => React.ReactNode> => ({
  poNumber: ({ poRef, poNumber }) => (
    <Link to="/orders/$poRef" params={{ poRef }} className={table.link}>
      {poNumber}
    </Link>
  ),
  status: (order) => <StatusBadge status={order} />,
  flags: (order) => <Flags order={order} />,
  vendor: ({ vendor }) => <Clipped text={vendor} />,
  poDate: ({ poDate }) => formats.date(poDate),
  originalXfd: ({ originalXfd }) => formats.date(originalXfd),
  xfDate: ({ xfDate }) => formats.date(xfDate),
  lineCount: ({ lineCount }) => formats.quantity(lineCount),
  qty: ({ totalQty }) => formats.quantity(totalQty),
  amount: ({ currency, amount }) => (
    <>
      <span className={table.quiet}>{currency}</span> {formats.amount(amount)}
    </>
  ),
  containerNumber: ({ containerNumber }) => <Clipped text={containerNumber} />,
  trackingNumber: ({ trackingNumber }) => <Clipped text={trackingNumber} />,
  updatedAt: ({ updatedAt }) => formats.instant(updatedAt),
});

/** The columns that are chosen, in their order. */
export function columnsOf(chosen: readonly ColumnId[], terms: Terms, texts: Texts, formats: Formats) {
  const names = columnNames(terms, texts);
  const cells = cellsOf(formats);
  return helper.columns(
    chosen.map((id) =>
      helper.display({
        id,
        header: names[id],
        cell: ({ row: { original } }) => cells[id](original),
      }),
    ),
  );
}
