import { describe, expect, it } from '@jest/globals';
import type { Action, InventoryLine, PurchaseOrderUpserted, StatusId } from '@po/contracts';
import { applyTransition } from '../transitions.js';
import { applyLinesPatch } from '../edits.js';
import { lineItems, newOrder, snapshot, reconcile } from '../../fixtures/orders.js';
import type { Line, Order } from '../order.js';
import { type Reconciliation } from './reconcile.js';
import { agreementOf, hasPendingChanges } from '../values.js';

const take = (order: Order, action: Action, toStatusId: StatusId): Order =>
  applyTransition(order, { action, toStatusId, now: new Date(0) }).order;
const approve = (order: Order): Order => take(take(order, 'SUBMIT', 200), 'APPROVE', 300);
const produce = (order: Order): Order => take(order, 'MOVE_TO_PRODUCTION', 400);

const lineOf = (order: Order, size: string, color = 'NVY'): Line =>
  order.lines.find((line) => line.size === size && line.color === color) as Line;
const reply = (order: Order, size: string, values: { qty?: number; price?: number }, color?: string): Order =>
  applyLinesPatch(order, [
    {
      rowHash: lineOf(order, size, color).rowHash,
      ...(values.qty === undefined ? {} : { vendorReplyQty: values.qty }),
      ...(values.price === undefined ? {} : { vendorReplyUnitPrice: values.price }),
    },
  ]);

const is =
  (size: string, color = 'NVY') =>
  (line: InventoryLine) =>
    line.size === size && line.color === color;
const revision = (sourceRevision: number, lines = snapshot().lines): PurchaseOrderUpserted => ({
  ...snapshot(),
  sourceRevision,
  lines,
});
const without = (sourceRevision: number, row: (line: InventoryLine) => boolean) =>
  revision(
    sourceRevision,
    snapshot().lines.filter((line) => !row(line)),
  );
const having = (sourceRevision: number, row: (line: InventoryLine) => boolean, values: Partial<InventoryLine>) =>
  revision(
    sourceRevision,
    snapshot().lines.map((line) => (row(line) ? { ...line, ...values } : line)),
  );
function orderOf(outcome: Reconciliation): Order {
  if (outcome.kind === 'ignored') throw new Error('expected a newer revision');
  return outcome.order;
}
const repliesOf = ({ qty, price }: Line) => [qty.reply, price.reply];

describe('a line that leaves the order', () => {
  it('reports both replies that it loses', () => {
    const order = reply(newOrder(), 'M', { qty: 4, price: 9 }, 'RED');
    expect(reconcile(order, without(2, is('M', 'RED')))).toMatchObject({
      action: 'SOURCE_UPDATE',
      changes: {
        lines: [
          { field: 'qty', from: 5, to: null },
          { field: 'vendorReplyQty', from: 4, to: null },
          { field: 'vendorReplyUnitPrice', from: 9, to: null },
        ],
      },
    });
  });

  it('keeps its replies in production, and reports them when it loses them by returning after a RECALL', () => {
    const producing = produce(approve(reply(newOrder(), 'M', { qty: 15 })));
    const left = orderOf(reconcile(producing, without(2, is('M'))));
    expect(repliesOf(lineOf(left, 'M'))).toEqual([15, null]);
    const back = reconcile(take(left, 'RECALL', 150), revision(3));
    expect(repliesOf(lineOf(orderOf(back), 'M'))).toEqual([null, null]);
    expect(back).toMatchObject({
      changes: {
        lines: expect.arrayContaining([expect.objectContaining({ field: 'vendorReplyQty', from: 15, to: null })]),
      },
    });
  });

  it.each([
    ['a size', 'NVY'],
    ['a whole item', 'RED'],
  ])('does not restore values that a later approval superseded: %s', (_name, color) => {
    const producing = produce(approve(reply(newOrder(), 'M', { qty: 4, price: 9 }, color)));
    const recalled = take(orderOf(reconcile(producing, without(2, is('M', color)))), 'RECALL', 150);
    const cleared = applyLinesPatch(
      recalled,
      recalled.lines.filter(({ removed }) => !removed).map(({ rowHash }) => ({ rowHash, vendorReplyUnitPrice: null })),
    );
    const again = produce(approve(cleared));
    expect(agreementOf(again)?.lines).toHaveLength(3);
    const back = lineOf(orderOf(reconcile(again, revision(3))), 'M', color);
    expect([...repliesOf(back), back.qty.agreed, back.price.agreed]).toEqual([null, null, null, null]);
  });
});

describe.each(['S', 'M', 'L'])('a line of size %s agreed at 0', (size) => {
  const agreed = approve(reply(newOrder(), size, { qty: 0 }));
  const gone = orderOf(reconcile(agreed, without(2, is(size))));

  it('leaves as an echo at any position, and the visible line items stay the same', () => {
    expect(reconcile(agreed, without(2, is(size))).kind).toBe('synced');
    expect(lineItems(gone)).toEqual(lineItems(agreed));
    expect(reconcile(gone, without(3, is(size))).kind).toBe('synced');
  });

  it('returns as an echo with its agreed quantity and price, and as a change with another price', () => {
    const same = reconcile(gone, having(3, is(size), { qty: 0 }));
    expect(same.kind).toBe('synced');
    expect(lineItems(orderOf(same))).toEqual(lineItems(agreed));
    expect(reconcile(gone, having(3, is(size), { qty: 0, unitPrice: 99 }))).toMatchObject({ action: 'SOURCE_UPDATE' });
  });

  it('returns with another quantity like a new line', () => {
    const outcome = reconcile(gone, having(3, is(size), { qty: 20 }));
    const lines = 'changes' in outcome ? (outcome.changes?.lines ?? []) : [];
    const ofSize = lines.map((line) => [line.size, line.field, line.from, line.to]);
    expect(ofSize).toEqual([
      [size, 'qty', null, 20],
      [size, 'vendorReplyQty', 0, null],
      [size, 'unitPrice', null, 12.5],
    ]);
  });

  it('drops the price reply of its item when it returns with another price', () => {
    const priced = approve(reply(newOrder(), size, { qty: 0, price: 13 }));
    const missing = orderOf(reconcile(priced, without(2, is(size))));
    const outcome = reconcile(missing, having(3, is(size), { qty: 20, unitPrice: 14 }));
    const after = orderOf(outcome).lines;
    expect(after.filter(({ color }) => color === 'NVY').map(({ price }) => price.reply)).toEqual([null, null, null]);
    const lines = 'changes' in outcome ? (outcome.changes?.lines ?? []) : [];
    const dropped = lines.filter(({ field }) => field === 'vendorReplyUnitPrice');
    expect(dropped.map(({ from, to }) => [from, to])).toEqual([
      [13, null],
      [13, null],
      [13, null],
    ]);
  });

  it('leaves as a change after the source changed its quantity', () => {
    const moved = orderOf(reconcile(agreed, having(2, is(size), { qty: 77 })));
    expect(reconcile(moved, without(3, is(size)))).toMatchObject({ kind: 'changed', action: 'SOURCE_UPDATE' });
  });

  it('can be agreed again while the source omits it', () => {
    const reapproved = approve(reply(take(gone, 'RECALL', 150), size, { qty: 5 }));
    expect(reconcile(reapproved, without(3, is(size))).kind).toBe('synced');
    expect(reconcile(reapproved, having(3, is(size), { qty: 5 })).kind).toBe('synced');
    expect(agreementOf(reapproved)?.lines).toContainEqual(expect.objectContaining({ size, qty: 5 }));
  });
});

describe('an item whose price the source changes on one line', () => {
  it('loses its price reply without counting as edited by the vendor', () => {
    const agreed = approve(reply(newOrder(), 'S', { price: 13 }));
    const after = orderOf(reconcile(agreed, having(2, is('S'), { unitPrice: 14 })));
    expect(lineItems(after)[0]).toMatchObject({ vendorReplyUnitPrice: null, agreedUnitPrice: 13 });
    expect(hasPendingChanges(after)).toBe(false);
  });

  it('keeps the agreed price of lines for which the source had echoed it', () => {
    const repeated = revision(
      2,
      snapshot().lines.map((line) => (is(line.size)(line) ? { ...line, unitPrice: 13 } : line)),
    );
    const agreed = orderOf(reconcile(approve(reply(newOrder(), 'S', { price: 13 })), repeated));
    const lines = repeated.lines.map((line) => (is('M')(line) ? { ...line, unitPrice: 14 } : line));
    const after = orderOf(reconcile(agreed, { ...repeated, sourceRevision: 3, lines }));
    const pricesOf = ({ price }: Line) =>
      [price.original, price.reply, price.agreed].map((money) => money && Number(money));
    expect(pricesOf(lineOf(after, 'S'))).toEqual([130_000, null, 130_000]);
    expect(agreementOf(approve(after))?.lines).toContainEqual(expect.objectContaining({ size: 'S', unitPrice: 13 }));
  });

  it('reports the new original of a line for which the source had echoed the agreed price', () => {
    const echoed = having(2, is('M'), { unitPrice: 13 });
    const agreed = orderOf(reconcile(approve(reply(newOrder(), 'S', { price: 13 })), echoed));
    const lines = echoed.lines.map((line) => (is('S')(line) ? { ...line, unitPrice: 14 } : line));
    const outcome = reconcile(agreed, { ...echoed, sourceRevision: 3, lines });
    expect(lineItems(agreed)[0]?.originalUnitPrice).toBe(12.5);
    const ofM = 'changes' in outcome ? outcome.changes?.lines.filter(({ size }) => size === 'M') : [];
    expect(ofM?.map(({ field, from, to }) => [field, from, to])).toEqual([
      ['unitPrice', 12.5, 13],
      ['vendorReplyUnitPrice', 13, null],
    ]);
  });

  it('reports the price of a line that returns at the agreed price once', () => {
    const agreed = approve(reply(reply(newOrder(), 'S', { price: 13 }), 'M', { qty: 0 }));
    const echoed = orderOf(reconcile(agreed, having(2, is('M'), { qty: 0, unitPrice: 13 })));
    const gone = orderOf(reconcile(echoed, without(3, is('M'))));
    const back = snapshot().lines.map((line) =>
      is('M')(line) ? { ...line, qty: 5, unitPrice: 13 } : is('S')(line) ? { ...line, unitPrice: 14 } : line,
    );
    const outcome = reconcile(gone, revision(4, back));
    const prices =
      'changes' in outcome
        ? outcome.changes?.lines.filter((line) => line.size === 'M' && line.field === 'unitPrice')
        : [];
    expect(prices?.map(({ from, to }) => [from, to])).toEqual([[null, 13]]);
  });

  it('treats the agreed price on another line as a change, because the reply was dropped', () => {
    const agreed = approve(reply(newOrder(), 'S', { price: 13 }));
    const repriced = having(2, is('S'), { unitPrice: 14 });
    const lines = repriced.lines.map((line) => (is('M')(line) ? { ...line, unitPrice: 13 } : line));
    const outcome = reconcile(orderOf(reconcile(agreed, repriced)), { ...repriced, sourceRevision: 3, lines });
    expect(outcome).toMatchObject({ action: 'SOURCE_UPDATE', changes: { lines: [{ size: 'M', to: 13 }] } });
    const confirmed = agreementOf(approve(orderOf(outcome)));
    expect(confirmed?.lines).toContainEqual(expect.objectContaining({ size: 'M', color: 'NVY', unitPrice: 13 }));
  });
});

describe('a price reply that the vendor cleared after the agreement', () => {
  it('still needs approval after the source changes the price of another line', () => {
    const agreed = approve(reply(newOrder(), 'S', { price: 13 }));
    const cleared = applyLinesPatch(take(agreed, 'RECALL', 150), [
      { rowHash: lineOf(agreed, 'S').rowHash, vendorReplyUnitPrice: null },
    ]);
    const after = orderOf(reconcile(cleared, having(2, is('S'), { unitPrice: 14 })));
    expect(hasPendingChanges(after)).toBe(true);
    const { changes } = applyTransition(after, { action: 'SUBMIT', toStatusId: 200, now: new Date(0) });
    expect(changes?.lines).toContainEqual(
      expect.objectContaining({ size: 'M', color: 'NVY', field: 'unitPrice', from: 13, to: 12.5 }),
    );
  });
});

describe('an item that returns in production with another size', () => {
  it.each([
    ['before', ['L', 'M']],
    ['after', ['M', 'L']],
  ])('has one price reply if the new size comes %s the old one', (_where, sizes) => {
    const order = produce(approve(reply(newOrder(), 'M', { price: 9 }, 'RED')));
    const gone = orderOf(reconcile(order, without(2, is('M', 'RED'))));
    const rest = snapshot().lines.filter((line) => !is('M', 'RED')(line));
    const red = snapshot().lines.find(is('M', 'RED')) as InventoryLine;
    const lines = [...rest, ...sizes.map((size) => ({ ...red, size, lineId: size }))];
    const after = orderOf(reconcile(gone, revision(3, lines)));
    expect(sizes.map((size) => lineOf(after, size, 'RED').price.reply)).toEqual([90_000n, 90_000n]);
  });
});

describe('a size', () => {
  it('may have the name of an object property', () => {
    const [line] = snapshot().lines as [InventoryLine, ...InventoryLine[]];
    const [item] = lineItems(newOrder({ lines: [{ ...line, size: '__proto__' }] }));
    expect(Object.keys(item?.sizes ?? {})).toEqual(['__proto__']);
  });
});

describe('a request with two prices of one item and an unknown line', () => {
  it('is refused as invalid before the unknown line is reported', () => {
    const order = newOrder();
    expect(() =>
      applyLinesPatch(order, [
        { rowHash: 'x', vendorReplyQty: 1 },
        { rowHash: lineOf(order, 'S').rowHash, vendorReplyUnitPrice: 1 },
        { rowHash: lineOf(order, 'M').rowHash, vendorReplyUnitPrice: 2 },
      ]),
    ).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });
});
