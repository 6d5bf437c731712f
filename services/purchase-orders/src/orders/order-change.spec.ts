import { expect, it } from '@jest/globals';
import { applyLinesPatch } from '../domain/edits.js';
import type { Order } from '../domain/order.js';
import { applyTransition } from '../domain/transitions.js';
import { exampleOrder } from '../fixtures/orders-database.js';
import { changedLineItems } from '../store/line-items.js';

const now = new Date('2026-10-01T10:00:00.000Z');

/** An order with lines in every state: replied to, agreed, changed by the source since, removed. */
function order(): Order {
  const example = exampleOrder('PO-1');
  const [first, second, third, ...rest] = example.lines;
  if (!first || !second || !third) throw new Error('the example has too few lines');
  const qty = { ...second.qty, agreed: 7, reply: 9, sourceChanged: true, edited: true };
  const removed = { removed: true, removalEchoed: true };
  return { ...example, lines: [first, { ...second, qty }, { ...third, qty, ...removed }, ...rest] };
}

it.each([
  [
    'a line reply',
    (before: Order) => applyLinesPatch(before, before.lines.filter(({ removed }) => !removed).map(replied)),
  ],
  ...(['SUBMIT', 'APPROVE', 'REJECT', 'RECALL', 'CANCEL'] as const).map(
    (action) => [action, (before: Order) => applyTransition(before, { action, toStatusId: 300, now }).order] as const,
  ),
])('%s changes only the negotiated column of line items', (_name, change) => {
  const before = order();
  const after = change(before);
  const rows = (lines: Order['lines']) =>
    changedLineItems({ id: 1, vendorCode: 'ACME' }, [], lines).map(({ negotiated: _negotiated, ...rest }) => rest);
  expect(rows(after.lines)).toEqual(rows(before.lines));
});

const replied = ({ rowHash }: { rowHash: string }) => ({ rowHash, vendorReplyQty: 3, vendorReplyUnitPrice: 2.5 });
