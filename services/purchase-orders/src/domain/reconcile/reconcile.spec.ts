import { describe, expect, it } from '@jest/globals';
import type { Changes, PurchaseOrderUpserted, StatusId } from '@po/contracts';
import { applyTransition } from '../transitions.js';
import { applyHeaderPatch, applyLinesPatch } from '../edits.js';
import { lineItems, newOrder, snapshot, reconcile } from '../../fixtures/orders.js';
import type { Order } from '../order.js';
import { type Reconciliation, reconcileCancellation } from './reconcile.js';
import { agreementOf, hasPendingChanges, currentLines } from '../values.js';

const now = new Date('2026-11-21T08:00:00.000Z');
const at = (statusId: StatusId, order = newOrder()): Order => ({ ...order, statusId });
const approve = (order: Order): Order => applyTransition(order, { action: 'APPROVE', toStatusId: 300, now }).order;
const lineOf = (order: Order, size: string, color = 'NVY') =>
  order.lines.find((line) => line.size === size && line.color === color) as Order['lines'][number];
const replied = (order: Order, size: string, vendorReplyQty: number) =>
  applyLinesPatch(order, [{ rowHash: lineOf(order, size).rowHash, vendorReplyQty }]);

/** The next revision, with one line's fields or header fields changed. */
const next = (
  revision: number,
  row: { size?: string; qty?: number; unitPrice?: number } = {},
  header: Partial<PurchaseOrderUpserted> = {},
): PurchaseOrderUpserted => ({
  ...snapshot(),
  sourceRevision: revision,
  lines: snapshot().lines.map((line) => (line.size === row.size && line.color === 'NVY' ? { ...line, ...row } : line)),
  ...header,
});
const without = (revision: number, size: string): PurchaseOrderUpserted => ({
  ...next(revision),
  lines: snapshot().lines.filter((line) => !(line.size === size && line.color === 'NVY')),
});

function changed(outcome: Reconciliation): Extract<Reconciliation, { kind: 'changed' }> {
  if (outcome.kind !== 'changed') throw new Error(`expected a change, got ${outcome.kind}`);
  return outcome;
}
function synced(outcome: Reconciliation): Order {
  if (outcome.kind !== 'synced') throw new Error(`expected no change, got ${outcome.kind}`);
  return outcome.order;
}

describe('a commercial change', () => {
  const rows: [StatusId, string | null, StatusId][] = [
    [100, 'SOURCE_UPDATE', 100],
    [150, 'SOURCE_UPDATE', 150],
    [200, 'SOURCE_UPDATE', 150],
    [300, 'SOURCE_UPDATE', 150],
    [400, 'SOURCE_CONFLICT', 400],
    [500, 'SOURCE_CONFLICT', 500],
    [600, 'SOURCE_CONFLICT', 600],
  ];
  it.each(rows)('in status %s is a %s and leads to status %s', (statusId, action, to) => {
    const isConflict = action === 'SOURCE_CONFLICT';
    const dropped = [expect.objectContaining({ field: 'vendorReplyQty', from: 15, to: null })];
    const stored = at(statusId, replied(newOrder(), 'M', 15));
    const outcome = changed(reconcile(stored, next(2, { size: 'M', qty: 18 })));
    expect([outcome.action, outcome.order.statusId]).toEqual([action, to]);
    const { qty } = lineOf(outcome.order, 'M');
    expect([qty.original, qty.source, qty.reply]).toEqual([18, 18, isConflict ? 15 : null]);
    expect(outcome.order.hasSourceConflict).toBe(isConflict);
    expect(outcome.changes?.lines).toEqual([
      expect.objectContaining({ field: 'qty', size: 'M', from: 20, to: 18 }),
      ...dropped.slice(0, isConflict ? 0 : 1),
    ]);
    expect(hasPendingChanges({ ...outcome.order, lines: outcome.order.lines })).toBe(isConflict);
  });

  it('is ignored in status 900, and in any status if the revision is not newer', () => {
    expect(reconcile(at(900), next(2, { size: 'M', qty: 1 }))).toEqual({ kind: 'ignored' });
    expect(reconcile(at(100), next(1, { size: 'M', qty: 1 }))).toEqual({ kind: 'ignored' });
    expect(reconcile(at(100), next(0))).toEqual({ kind: 'ignored' });
  });

  it('of one price drops the price reply of the whole item and no other reply', () => {
    const order = newOrder();
    const priced = applyLinesPatch(order, [
      { rowHash: lineOf(order, 'S').rowHash, vendorReplyUnitPrice: 13 },
      { rowHash: lineOf(order, 'M', 'RED').rowHash, vendorReplyUnitPrice: 9 },
    ]);
    const outcome = changed(reconcile(replied(priced, 'L', 7), next(2, { size: 'M', unitPrice: 12.6 })));
    expect(lineItems(outcome.order).map(({ vendorReplyUnitPrice }) => vendorReplyUnitPrice)).toEqual([null, 9]);
    expect(lineOf(outcome.order, 'L').qty.reply).toBe(7);
    expect(outcome.changes?.lines.filter(({ field }) => field === 'vendorReplyUnitPrice')).toHaveLength(3);
  });

  it('of one quantity drops the reply to that quantity and no other reply', () => {
    const { order } = changed(
      reconcile(replied(replied(newOrder(), 'M', 15), 'L', 7), next(2, { size: 'M', qty: 18 })),
    );
    expect(['M', 'L'].map((size) => lineOf(order, size).qty.reply)).toEqual([null, 7]);
  });

  it('of the date drops only the reply to the date', () => {
    const order = applyHeaderPatch(newOrder(), { vendor_reply_xfd: '2026-05-01', vendor_reply_factory: 'F9' });
    const outcome = changed(reconcile(order, next(2, {}, { xfd: '2026-03-09' })));
    expect([outcome.order.xfd.reply, outcome.order.factory.reply]).toEqual([null, 'F9']);
    expect(outcome.changes?.header).toEqual([
      { field: 'xfDate', from: '2026-03-01', to: '2026-03-09' },
      { field: 'vendorReplyXfd', from: '2026-05-01', to: null },
    ]);
  });

  it('of the factory drops only the reply to the factory', () => {
    const order = applyHeaderPatch(newOrder(), { vendor_reply_xfd: '2026-05-01', vendor_reply_factory: 'F9' });
    const outcome = changed(reconcile(order, next(2, {}, { factory: 'F2' })));
    expect([outcome.order.xfd.reply, outcome.order.factory.reply]).toEqual(['2026-05-01', null]);
  });

  it('adds and removes lines; a removed line stays in the agreed snapshot and may return', () => {
    const agreed = approve(newOrder());
    const removed = changed(reconcile(agreed, without(2, 'L')));
    expect([removed.action, currentLines(removed.order).length]).toEqual(['SOURCE_UPDATE', 3]);
    expect(agreementOf(removed.order)?.lines).toHaveLength(4);
    const back = changed(reconcile(removed.order, next(3)));
    expect([back.action, currentLines(back.order).length]).toEqual(['SOURCE_UPDATE', 4]);
    expect(lineOf(back.order, 'L').rowHash).toBe(lineOf(agreed, 'L').rowHash);
  });

  it("lets a line that joins an item inherit the item's price reply", () => {
    const order = newOrder();
    const priced = applyLinesPatch(order, [{ rowHash: lineOf(order, 'S').rowHash, vendorReplyUnitPrice: 13 }]);
    const grown = { ...next(2), lines: [...snapshot().lines, { ...snapshot().lines[0]!, lineId: 'XL', size: 'XL' }] };
    const { order: after } = changed(reconcile(priced, grown));
    expect(lineItems(after)[0]).toMatchObject({
      vendorReplyUnitPrice: 13,
      unitPrice: 13,
      sizeOrder: ['S', 'M', 'L', 'XL'],
    });
  });
});

describe('a line that joins an item with an approved price reply', () => {
  const priced = applyLinesPatch(newOrder(), [{ rowHash: lineOf(newOrder(), 'S').rowHash, vendorReplyUnitPrice: 13 }]);
  const xl = { ...snapshot().lines[0]!, lineId: 'XL', size: 'XL', qty: 1000, unitPrice: 10 };
  const grown = (changes: Partial<typeof xl> = {}) => ({
    ...next(2),
    lines: [...snapshot().lines, { ...xl, ...changes }],
  });
  const lineChangesOf = ({ changes }: { changes: Changes | null }) =>
    changes?.lines.map(({ size, field, from, to }) => [size, field, from, to]);

  it('is pending, and the source update and the next SUBMIT report the price', () => {
    const joined = changed(reconcile(approve(priced), grown()));
    expect(lineChangesOf(joined)).toEqual([
      ['XL', 'qty', null, 1000],
      ['XL', 'unitPrice', null, 10],
      ['XL', 'vendorReplyUnitPrice', null, 13],
    ]);
    expect([joined.order.statusId, hasPendingChanges(joined.order)]).toEqual([150, true]);
    const submitted = applyTransition(joined.order, { action: 'SUBMIT', toStatusId: 200, now });
    expect(lineChangesOf(submitted)).toEqual([['XL', 'unitPrice', 10, 13]]);
    expect(hasPendingChanges(approve(submitted.order))).toBe(false);
  });

  it('is not pending if it is ordered at that price', () => {
    expect(hasPendingChanges(changed(reconcile(approve(priced), grown({ unitPrice: 13 }))).order)).toBe(false);
  });

  it('causes a conflict in production that reports the price, and is not pending', () => {
    const conflict = changed(reconcile(at(400, approve(priced)), grown()));
    expect(conflict.action).toBe('SOURCE_CONFLICT');
    expect(lineChangesOf(conflict)).toContainEqual(['XL', 'vendorReplyUnitPrice', null, 13]);
    expect(hasPendingChanges(conflict.order)).toBe(false);
  });

  it('inherits nothing if the source changes the price of the item as well', () => {
    const repriced = { ...grown(), lines: [...next(2, { size: 'M', unitPrice: 12 }).lines, xl] };
    const joined = changed(reconcile(approve(priced), repriced));
    expect(lineChangesOf(joined)?.filter(([size]) => size === 'XL')).toEqual([
      ['XL', 'qty', null, 1000],
      ['XL', 'unitPrice', null, 10],
    ]);
    expect(hasPendingChanges(joined.order)).toBe(false);
  });

  it('reports the price also when it returns after a removal', () => {
    const gone = changed(reconcile(approve(priced), without(2, 'L'))).order;
    const back = changed(reconcile(gone, next(3)));
    expect(lineChangesOf(back)).toContainEqual(['L', 'vendorReplyUnitPrice', null, 13]);
    expect(hasPendingChanges(back.order)).toBe(true);
  });
});

describe('a silent change', () => {
  it.each([
    ['remarks', { remarks: 'gift box' }],
    ['the buyer', { buyer: { name: 'D', email: 'd@example.com' } }],
    ['the destination', { destination: 'Hamburg' }],
    ['the currency, with the same prices', { currency: 'JPY' }],
  ])('of %s changes the order without a history entry', (_name, header) => {
    expect(changed(reconcile(at(300), next(2, {}, header)))).toMatchObject({
      action: null,
      changes: null,
      order: { statusId: 300 },
    });
  });

  it('may also be a new line id or line sequence, but a snapshot with the same content is no change', () => {
    const renumbered = { ...next(2), lines: snapshot().lines.map((line) => ({ ...line, lineId: `x${line.lineId}` })) };
    expect(changed(reconcile(at(100), renumbered)).action).toBeNull();
    expect(changed(reconcile(at(100), { ...next(2), lines: snapshot().lines.toReversed() })).action).toBeNull();
    expect(synced(reconcile(at(100), next(2))).sourceRevision).toBe(2);
  });
});

describe('an echo of the agreed values', () => {
  const agreed = approve(replied(applyHeaderPatch(newOrder(), { vendor_reply_xfd: '2026-04-01' }), 'M', 15));
  const echo = (revision: number) => next(revision, { size: 'M', qty: 15 }, { xfd: '2026-04-01' });

  it('changes nothing visible in any status from 300 on', () => {
    for (const statusId of [300, 400, 500, 600] as const) {
      const order = synced(reconcile(at(statusId, agreed), echo(2)));
      expect(lineItems(order)).toEqual(lineItems(agreed));
      expect([order.statusId, order.xfd.original, order.xfd.source]).toEqual([statusId, '2026-03-01', '2026-04-01']);
    }
  });

  it('may be repeated, and may contain only some of the agreed values', () => {
    const once = synced(reconcile(agreed, next(2, { size: 'M', qty: 15 })));
    expect(synced(reconcile(synced(reconcile(once, echo(3))), echo(4))).sourceRevision).toBe(4);
  });

  it('counts as a change after the source changed the field', () => {
    const moved = changed(reconcile(agreed, next(2, { size: 'M', qty: 18 }, { xfd: '2026-04-01' }))).order;
    const back = changed(reconcile(moved, echo(3)));
    expect([back.action, lineOf(back.order, 'M').qty.original]).toEqual(['SOURCE_UPDATE', 15]);
  });

  it('followed by the old original counts as a change back', () => {
    const echoed = synced(reconcile(agreed, echo(2)));
    const back = changed(reconcile(echoed, next(3, {}, { xfd: '2026-04-01' })));
    expect(lineOf(back.order, 'M').qty).toMatchObject({ original: 20, reply: null, agreed: 15 });
  });

  it('with a new line leaves that line compared with its original', () => {
    const grown = { ...echo(2), lines: [...echo(2).lines, { ...snapshot().lines[0]!, lineId: 'XL', size: 'XL' }] };
    const joined = changed(reconcile(agreed, grown)).order;
    expect(hasPendingChanges(replied(joined, 'XL', 10))).toBe(false);
    expect(hasPendingChanges(replied(joined, 'XL', 11))).toBe(true);
  });
});

describe('a cancellation by the source', () => {
  it.each([
    [100, 'SOURCE_CANCEL', 900],
    [150, 'SOURCE_CANCEL', 900],
    [200, 'SOURCE_CANCEL', 900],
    [300, 'SOURCE_CANCEL', 900],
    [400, 'SOURCE_CANCEL', 900],
    [500, 'SOURCE_CONFLICT', 500],
    [600, 'SOURCE_CONFLICT', 600],
  ] as [StatusId, string, StatusId][])('in status %s is a %s and leads to status %s', (statusId, action, to) => {
    const outcome = changed(reconcileCancellation(at(statusId), { sourceRevision: 2, isRepeated: false }));
    expect([outcome.action, outcome.order.statusId, outcome.order.sourceRevision]).toEqual([action, to, 2]);
    expect(outcome.order.hasSourceConflict).toBe(action === 'SOURCE_CONFLICT');
  });

  it('is ignored in status 900, and if it is not newer', () => {
    expect(reconcileCancellation(at(900), { sourceRevision: 2, isRepeated: false }).kind).toBe('ignored');
    expect(reconcileCancellation(at(100), { sourceRevision: 1, isRepeated: false }).kind).toBe('ignored');
  });
});

describe('after a conflict in production', () => {
  it('the flag stays until the next approval, and edits are compared with the new original', () => {
    const producing = at(400, approve(replied(newOrder(), 'M', 15)));
    const conflict = changed(reconcile(producing, next(2, { size: 'M', qty: 25 }))).order;
    expect([conflict.hasSourceConflict, hasPendingChanges(conflict), lineOf(conflict, 'M').qty.agreed]).toEqual([
      true,
      false,
      15,
    ]);
    const recalled = applyTransition(conflict, { action: 'RECALL', toStatusId: 150, now }).order;
    expect([recalled.hasSourceConflict, hasPendingChanges(recalled)]).toEqual([true, false]);
    expect(hasPendingChanges(replied(recalled, 'M', 24))).toBe(true);
    expect(hasPendingChanges(replied(recalled, 'M', 25))).toBe(false);
    expect(approve(recalled).hasSourceConflict).toBe(false);
  });
});
