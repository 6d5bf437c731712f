import { describe, expect, it } from '@jest/globals';
import type { PurchaseOrderUpserted } from '@po/contracts';
import fc from 'fast-check';
import { applyTransition } from '../transitions.js';
import { applyLinesPatch } from '../edits.js';
import { lineItems, newOrder, snapshot, reconcile } from '../../fixtures/orders.js';
import { moneyOf, moneyToNumber } from '../money.js';
import type { Order } from '../order.js';
import { agreementOf, hasPendingChanges, itemKey, currentLines } from '../values.js';

/** Revisions with random quantities, prices, dates and lines. */
const revisions = fc.array(
  fc.record({
    quantities: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)),
    prices: fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(1, 2), fc.constantFrom(1, 2)),
    present: fc.tuple(fc.constant(true), fc.boolean(), fc.boolean()),
    xfd: fc.constantFrom('2026-03-01', '2026-04-01'),
  }),
  { minLength: 1, maxLength: 8 },
);
/** After each revision: the vendor's price reply, if any, and whether both sides agree. */
const steps = fc.array(fc.record({ price: fc.constantFrom(undefined, null, 1, 2, 7), approves: fc.boolean() }), {
  minLength: 8,
  maxLength: 8,
});
const step = (
  order: Order,
  { price, approves }: { price?: number | null | undefined; approves?: boolean } = {},
): Order => {
  const edited = applyLinesPatch(order, [{ rowHash: currentLines(order)[0]!.rowHash, vendorReplyUnitPrice: price }]);
  return approves ? applyTransition(edited, { action: 'APPROVE', toStatusId: 300, now: new Date(0) }).order : edited;
};
const toSnapshots = (contents: typeof revisions extends fc.Arbitrary<infer T> ? T : never): PurchaseOrderUpserted[] =>
  contents.map(({ quantities, prices, present, xfd }, index) => ({
    ...snapshot(),
    sourceRevision: index + 1,
    xfd,
    lines: snapshot()
      .lines.slice(0, 3)
      .map((line, row) => ({ ...line, qty: quantities[row] ?? 0, unitPrice: prices[row] ?? 1 }))
      .filter((_line, row) => present[row]),
  }));
const deliver = (order: Order | null, message: PurchaseOrderUpserted): Order | null => {
  const outcome = reconcile(order, message);
  return outcome.kind === 'ignored' ? order : outcome.order;
};

describe('any delivery', () => {
  it('of revisions, repeated and out of order, ends with the content of the newest revision', () => {
    fc.assert(
      fc.property(revisions, fc.array(fc.nat(7), { maxLength: 20 }), (contents, picks) => {
        const messages = toSnapshots(contents);
        const newest = messages.at(-1) as PurchaseOrderUpserted;
        const deliveries = [
          ...picks.flatMap((pick) => messages[pick] ?? []),
          newest,
          ...picks.flatMap((pick) => messages[pick] ?? []),
        ];
        const order = deliveries.reduce<Order | null>(deliver, null) as Order;
        expect(order.sourceRevision).toBe(newest.sourceRevision);
        expect(order.xfd.original).toBe(newest.xfd);
        const live = currentLines(order).toSorted((a, b) => a.position - b.position);
        expect(live.map(({ size, qty, price }) => [size, qty.original, price.original])).toEqual(
          newest.lines.map(({ size, qty, unitPrice }) => [size, qty, moneyOf(unitPrice)]),
        );
        expect(hasPendingChanges(order)).toBe(false);
      }),
    );
  });

  it('drops a reply exactly if the source changed its field (for a price: on any line of the item)', () => {
    fc.assert(
      fc.property(revisions, fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5)), fc.boolean(), (contents, replies, hasPrice) => {
        const [first, ...later] = toSnapshots(contents) as [PurchaseOrderUpserted, ...PurchaseOrderUpserted[]];
        let order = deliver(null, first) as Order;
        order = applyLinesPatch(
          order,
          currentLines(order).map(({ rowHash }, index) => ({
            rowHash,
            vendorReplyQty: replies[index] ?? 0,
            ...(hasPrice ? { vendorReplyUnitPrice: 7 } : {}),
          })),
        );
        for (const message of later) {
          const before = new Map(currentLines(order).map((line) => [line.rowHash, line]));
          order = deliver(order, message) as Order;
          const live = currentLines(order);
          const repriced = new Set(
            live
              .filter(
                (line) => before.has(line.rowHash) && before.get(line.rowHash)?.price.source !== line.price.source,
              )
              .map(itemKey),
          );
          const expectedReply = (line: Order['lines'][number]) => {
            const was = before.get(line.rowHash);
            const qty = was && was.qty.source === line.qty.source ? was.qty.reply : null;
            const price = repriced.has(itemKey(line)) ? null : was ? was.price.reply : line.price.reply;
            return [qty, price];
          };
          expect(live.map(({ qty, price }) => [qty.reply, price.reply])).toEqual(live.map(expectedReply));
        }
      }),
    );
  });

  it("of a line that joins an item is pending if the item's price reply differs from the line's ordered price", () => {
    fc.assert(
      fc.property(revisions, steps, (contents, replies) => {
        let order: Order | null = null;
        for (const [index, message] of toSnapshots(contents).entries()) {
          const before = new Set(order && currentLines(order).map(({ rowHash }) => rowHash));
          order = deliver(order, message) as Order;
          const off = currentLines(order).filter(({ price }) => price.reply !== null && price.reply !== price.original);
          const joined = off.filter(({ rowHash }) => !before.has(rowHash));
          expect(joined.filter(({ price }) => !price.edited)).toEqual([]);
          expect(joined.length === 0 || hasPendingChanges(order)).toBe(true);
          order = step(order, replies[index]);
        }
      }),
    );
  });

  it('reports each line whose original changes, and each field of a line once', () => {
    fc.assert(
      fc.property(revisions, steps, (contents, replies) => {
        const [first, ...later] = toSnapshots(contents) as [PurchaseOrderUpserted, ...PurchaseOrderUpserted[]];
        let order = step(deliver(null, first) as Order, replies[0]);
        for (const [index, message] of later.entries()) {
          const before = new Map(order.lines.map((line) => [line.rowHash, line]));
          const outcome = reconcile(order, message);
          order = deliver(order, message) as Order;
          const moved = currentLines(order).flatMap(({ rowHash, qty, price }) => [
            ...(before.get(rowHash)?.qty.original === qty.original ? [] : [[rowHash, 'qty', qty.original]]),
            ...(before.get(rowHash)?.price.original === price.original
              ? []
              : [[rowHash, 'unitPrice', moneyToNumber(price.original)]]),
          ]);
          const lines = (outcome.kind === 'changed' && outcome.changes?.lines) || [];
          expect(lines.map(({ rowHash, field, to }) => [rowHash, field, to])).toEqual(expect.arrayContaining(moved));
          expect(new Set(lines.map(({ rowHash, field }) => `${field} ${rowHash}`)).size).toBe(lines.length);
          order = step(order, replies[index + 1]);
        }
      }),
    );
  });

  it('of the agreed content never reopens an approved order', () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40)), fc.constantFrom(null, 11, 12.5), (replies, price) => {
        const order = newOrder();
        const edited = applyLinesPatch(
          order,
          replies.map((vendorReplyQty, index) => ({
            rowHash: order.lines[index]?.rowHash ?? '',
            vendorReplyQty,
            vendorReplyUnitPrice: price,
          })),
        );
        const approved = applyTransition(edited, { action: 'APPROVE', toStatusId: 300, now: new Date(0) }).order;
        const agreed = agreementOf(approved);
        const echo = {
          ...snapshot(),
          sourceRevision: 2,
          lines: snapshot().lines.map((line, index) => ({
            ...line,
            qty: agreed?.lines[index]?.qty ?? 0,
            unitPrice: agreed?.lines[index]?.unitPrice ?? 0,
          })),
        };
        const outcome = reconcile(approved, echo);
        expect(outcome.kind).toBe('synced');
        const after = deliver(approved, echo) as Order;
        expect(lineItems(after)).toEqual(lineItems(approved));
        expect(after.statusId).toBe(approved.statusId);
      }),
    );
  });
});
