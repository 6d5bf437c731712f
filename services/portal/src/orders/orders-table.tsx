import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OrderSummary } from '../api/schemas.js';
import { Flags } from '../elements/flags.js';
import { StatusBadge } from '../elements/status-badge.js';
import type { Formats } from '../language/formats.js';
import { useFormats, useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import table from '../theme/table.module.css';
import { ORDERS } from './texts.js';

type Terms = (typeof TERMS)['en'];

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, OrderSummary>();
/** Their digits stand below each other. */
const NUMBERS = new Set(['qty', 'amount']);

const columnsOf = (terms: Terms, notes: string, formats: Formats) =>
  helper.columns([
    helper.accessor('poNumber', {
      header: terms.poNumber,
      cell: ({ row: { original } }) => (
        <Link to="/orders/$poRef" params={{ poRef: original.poRef }} className={table.link}>
          {original.poNumber}
        </Link>
      ),
    }),
    helper.display({
      id: 'status',
      header: terms.status,
      cell: ({ row: { original } }) => <StatusBadge status={original} />,
    }),
    helper.display({ id: 'notes', header: notes, cell: ({ row: { original } }) => <Flags order={original} /> }),
    helper.accessor('vendor', { header: terms.vendor }),
    helper.accessor('poDate', { header: terms.poDate, cell: ({ getValue }) => formats.date(getValue()) }),
    helper.accessor('xfDate', { header: terms.xfDate, cell: ({ getValue }) => formats.date(getValue()) }),
    helper.accessor('totalQty', {
      id: 'qty',
      header: terms.quantity,
      cell: ({ getValue }) => formats.quantity(getValue()),
    }),
    helper.accessor('amount', {
      header: terms.amount,
      cell: ({ row: { original } }) => (
        <>
          <span className={table.quiet}>{original.currency}</span> {formats.amount(original.amount)}
        </>
      ),
    }),
    helper.accessor('updatedAt', { header: terms.updated, cell: ({ getValue }) => formats.instant(getValue()) }),
  ]);

/** One row an order. */
export function OrdersTable({ orders }: { orders: OrderSummary[] }) {
  const texts = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  const columns = useMemo(() => columnsOf(terms, texts.notes, formats), [terms, texts, formats]);
  const rows = useTable({ features, columns, data: orders, getRowId: ({ poRef }) => poRef });
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          {rows.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" className={NUMBERS.has(header.column.id) ? table.number : undefined}>
                  <rows.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {rows.getRowModel().rows.map((row) => (
            <tr key={row.id} className={table.row}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id} className={NUMBERS.has(cell.column.id) ? table.number : table.date}>
                  <rows.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
