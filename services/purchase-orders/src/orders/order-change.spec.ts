import { expect, it } from '@jest/globals';
import { applyLinesPatch } from '../domain/edits.js';
import type { Order } from '../domain/order.js';
import { applyTransition } from '../domain/transitions.js';
import { exampleOrder } from '../fixtures/orders-database.js';
import { columnsOfCell } from '../store/order-rows.js';
import { CHANGEABLE } from './order-change.js';

const now = new Date('2026-10-01T10:00:00.000Z');

/** In every state that a cell can be in: replied to, agreed, moved by the source since, removed. */
function order(): Order {
  const example = exampleOrder('PO-1');
  const [first, second, third, ...rest] = example.cells;
  if (!first || !second || !third) throw new Error('the example has too few cells');
  const qty = { ...second.qty, agreed: 7, reply: 9, sourceChanged: true, edited: true };
  const removed = { removed: true, removalEchoed: true };
  return { ...example, cells: [first, { ...second, qty }, { ...third, qty, ...removed }, ...rest] };
}

it.each([
  ['a reply', (before: Order) => applyLinesPatch(before, before.cells.filter(({ removed }) => !removed).map(replied))],
  ...(['SUBMIT', 'APPROVE', 'REJECT', 'RECALL', 'CANCEL'] as const).map(
    (action) => [action, (before: Order) => applyTransition(before, { action, toStatusId: 300, now }).order] as const,
  ),
])('stores all that %s changes of cells', (_name, act: (before: Order) => Order) => {
  const before = order();
  const after = act(before);
  expect(after.cells).toHaveLength(before.cells.length);
  const of = { id: 1, vendorCode: 'ACME' };
  const changed = after.cells.flatMap((cell, index) => {
    const [now, then] = [columnsOfCell(cell, of), columnsOfCell(before.cells[index] as typeof cell, of)];
    return (Object.keys(now) as (keyof typeof now)[]).filter((property) => now[property] !== then[property]);
  });
  expect(CHANGEABLE).toEqual(expect.arrayContaining([...new Set(changed)]));
});

const replied = ({ rowHash }: { rowHash: string }) => ({ rowHash, vendorReplyQty: 3, vendorReplyUnitPrice: 2.5 });
