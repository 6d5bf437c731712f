import { type Send, type Statement, overwriting, rowParameters, rowsParameters } from '@po/database';
import { OUTBOX_PARAMETERS, type OutboxEntry, insertOutboxEntry, outboxValues } from '@po/messaging';
import { CommandEntity } from '../idempotency/command.entity.js';
import { CellEntity } from '../store/cell.entity.js';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { OrderEntity } from '../store/order.entity.js';
import type { OrderChange } from './order-change.js';

const OUTBOX = 3;
const ENTRY = rowParameters(HistoryEntryEntity, OUTBOX + OUTBOX_PARAMETERS);
const ANSWER = rowParameters(CommandEntity, ENTRY.next);
const ORDER = rowParameters(OrderEntity, ANSWER.next, ['id', 'sourceDigest', 'searchText', 'createdAt']);
/** All of a cell that a change of a user can change; rows come and go by the inventory system alone. */
export const CHANGEABLE = [
  ...(['vendorReplyQty', 'agreedQty', 'qtySourceChanged', 'qtyEdited'] as const),
  ...(['vendorReplyUnitPrice', 'agreedUnitPrice', 'priceSourceChanged', 'priceEdited'] as const),
];
const CELLS = rowsParameters(CellEntity, ORDER.next, ['rowHash', ...CHANGEABLE]);

// One statement, so that every part hangs on the first: an order that is no longer at the version which the change was derived from lets
// nothing of it be stored. A part without a row adds nothing.
// Most changes touch no cell: without them, two dozen parameters less are sent.
const save = (name: string, cells: string): Statement => ({
  name,
  rows: 1,
  text: `WITH stored AS (
    UPDATE purchase_orders SET (${ORDER.columns.join(', ')}) = ROW(${ORDER.parameters.join(', ')})
     WHERE id = $1 AND version = $2 RETURNING id
  )${cells}, outbox_entry AS (
    ${insertOutboxEntry(OUTBOX, 'stored')}
  ), entry AS (
    INSERT INTO history (${ENTRY.columns.join(', ')})
    SELECT ${ENTRY.parameters.join(', ')} FROM stored WHERE ${ENTRY.parameters[0]} IS NOT NULL
  ), answer AS (
    INSERT INTO command_log (${ANSWER.columns.join(', ')})
    SELECT ${ANSWER.parameters.join(', ')} FROM stored WHERE ${ANSWER.parameters[0]} IS NOT NULL
    ${overwriting(CommandEntity, ['keyHash'])}
  )
  SELECT id FROM stored`,
});
const SAVE = save('save-change', '');
const SAVE_WITH_CELLS = save(
  'save-change-with-cells',
  `, cells_written AS (
    UPDATE cells c SET ${CELLS.columns.map((column) => `${column} = n.${column}`).join(', ')}
      FROM stored, ${CELLS.rows('n')} WHERE c.order_id = stored.id AND c.row_hash = n.row_hash
  )`,
);

// Planned anew for as many cells as there are: a plan that is kept for any number expects ten, and compares each with each cell of the
// order, which for thousands is seconds.
const SAVE_WITH_MANY_CELLS: Statement = { ...SAVE_WITH_CELLS, name: '' };
const MANY_CELLS = 50;

/** What is stored beside the change itself. */
export interface SavedWith {
  /** What is published of it. */
  outbox: OutboxEntry;
  /** The answer that the change's idempotency key is remembered for. */
  answer: CommandEntity | null;
}

/**
 * Records a user's change on an order of this version: the order, its changed cells, its history entry, one outbox row and the answer.
 * Rejects when the order is at another version; the transaction must then be tried anew.
 */
export function saveChange(
  send: Send,
  change: OrderChange,
  version: number,
  { outbox, answer }: SavedWith,
): Promise<unknown> {
  const { order, row, entry, cells } = change;
  return send(statementFor(cells.length), [
    ...[order.id, version],
    ...outboxValues(outbox),
    ...[
      ...ENTRY.values(entry),
      ...ANSWER.values(answer),
      ...ORDER.values(row),
      ...(cells.length > 0 ? CELLS.values(cells) : []),
    ],
  ]);
}

function statementFor(cells: number): Statement {
  if (cells > MANY_CELLS) return SAVE_WITH_MANY_CELLS;
  return cells > 0 ? SAVE_WITH_CELLS : SAVE;
}
