import { describe, expect, it } from '@jest/globals';
import { HeaderPatch, LinesPatch, ProblemError } from '@po/contracts';
import fc from 'fast-check';
import { applyTransition } from './transitions.js';
import { applyHeaderPatch, applyLinesPatch } from './edits.js';
import { formatMoney, meanOf, moneyOf, moneyToNumber, parseMoney, roundToCents } from './money.js';
import { lineItems, newOrder, snapshot } from '../fixtures/orders.js';
import type { Order } from './order.js';
import { agreementOf, hasPendingChanges, totals } from './values.js';

const now = new Date('2026-11-21T08:00:00.000Z');

const transition = (
  order: Order,
  action: Parameters<typeof applyTransition>[1]['action'],
  toStatusId: Order['statusId'],
) => applyTransition(order, { action, toStatusId, now });
const approve = (order: Order) => transition(transition(order, 'SUBMIT', 200).order, 'APPROVE', 300).order;
const hashOf = (order: Order, size: string, color = 'NVY') =>
  order.lines.find((line) => line.size === size && line.color === color)?.rowHash ?? '';

describe('money', () => {
  it('converts every price of up to 4 decimals exactly to text and number and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), (units) => {
        const text = formatMoney(units);
        expect(parseMoney(text)).toBe(units);
        expect(moneyOf(moneyToNumber(units))).toBe(units);
      }),
    );
  });

  it('converts to the same number as its text, however large', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.nat(70), (large, bits) => {
        const units = large / 2n ** BigInt(bits);
        expect(moneyToNumber(units)).toBe(Number(formatMoney(units)));
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), fc.nat(4), (digits, decimals) => {
        const value = Number(`${digits}e-${decimals}`);
        expect(moneyOf(value)).toBe(parseMoney(value.toFixed(4)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('rounds half up without floating-point errors', () => {
    expect(formatMoney(roundToCents(parseMoney('1.005')))).toBe('1.0100');
    expect(formatMoney(roundToCents(parseMoney('1.0049')))).toBe('1.0000');
    expect(formatMoney(meanOf(parseMoney('1'), 3n))).toBe('0.3333');
    expect(formatMoney(meanOf(parseMoney('2'), 3n))).toBe('0.6667');
    expect(() => parseMoney('1.23456')).toThrow(RangeError);
  });
});

describe('current = reply ?? original', () => {
  const edits = fc.array(
    fc.record({
      index: fc.nat(3),
      qty: fc.option(fc.nat(100), { nil: undefined }),
      price: fc.option(fc.constantFrom(null, 0.0001, 10.005, 12.5, 99.9999), { nil: undefined }),
      clear: fc.boolean(),
    }),
    { maxLength: 12 },
  );

  it('holds exactly in items and totals after any series of edits', () => {
    fc.assert(
      fc.property(edits, (series) => {
        let order = newOrder();
        const replies = new Map<number, number | null>();
        const prices = new Map<string, number | null>();
        for (const { index, qty, price, clear } of series) {
          const line = order.lines[index];
          if (!line || (qty === undefined && price === undefined)) continue;
          const vendorReplyQty = clear ? null : qty;
          order = applyLinesPatch(order, [
            {
              rowHash: line.rowHash,
              ...(vendorReplyQty === undefined ? {} : { vendorReplyQty }),
              ...(price === undefined ? {} : { vendorReplyUnitPrice: price }),
            },
          ]);
          if (vendorReplyQty !== undefined) replies.set(index, vendorReplyQty);
          if (price !== undefined) prices.set(line.color, price);
        }
        const source = snapshot().lines;
        const current = source.map((line, index) => ({
          ...line,
          qty: replies.get(index) ?? line.qty,
          unitPrice: prices.get(line.color) ?? line.unitPrice,
        }));
        const amountOf = (color: string) =>
          current
            .filter((line) => line.color === color)
            .reduce((sum, line) => sum + BigInt(line.qty) * moneyOf(line.unitPrice), 0n);
        const amounts = ['NVY', 'RED'].map((color) => roundToCents(amountOf(color)));
        const { amount, totalQty, originalTotalQty, originalAmount } = totals(order);
        expect(amount).toBe(amounts.reduce((sum, each) => sum + each, 0n));
        expect(totalQty).toBe(current.reduce((sum, { qty }) => sum + qty, 0));
        expect([originalTotalQty, formatMoney(originalAmount)]).toEqual([65, '799.9500']);
        const items = lineItems(order);
        expect(items.map(({ totalAmount }) => moneyOf(totalAmount))).toEqual(amounts);
        const modified = (color: string) =>
          current.some(
            (line, index) =>
              line.color === color && (line.qty !== source[index]?.qty || line.unitPrice !== source[index]?.unitPrice),
          );
        expect(items.map(({ isModified }) => isModified)).toEqual(['NVY', 'RED'].map(modified));
        const pending = current.some(
          (line, index) => line.qty !== source[index]?.qty || line.unitPrice !== source[index]?.unitPrice,
        );
        expect(hasPendingChanges(order)).toBe(pending);
      }),
    );
  });

  it('never changes an original', () => {
    const order = newOrder();
    const edited = applyHeaderPatch(order, { vendor_reply_xfd: '2026-04-01', vendor_reply_factory: 'F2' });
    expect([edited.xfd.original, edited.factory.original]).toEqual(['2026-03-01', 'F1']);
    expect(applyHeaderPatch(edited, { vendor_reply_xfd: '2026-04-01' })).toBe(edited);
  });

  it('accepts the order date, and a stored date that is now before it, but no other date before it', () => {
    const edited = applyHeaderPatch(newOrder(), { vendor_reply_xfd: '2026-02-01' });
    const moved = { ...edited, poDate: '2026-02-15' };
    expect(applyHeaderPatch(moved, { vendor_reply_xfd: '2026-02-01' })).toBe(moved);
    expect(applyHeaderPatch(moved, { vendor_reply_xfd: moved.poDate }).xfd.reply).toBe(moved.poDate);
    expect(() => applyHeaderPatch(moved, { vendor_reply_xfd: '2026-02-02' })).toThrow(ProblemError);
  });

  it('shows the mean price weighted by quantity if the lines of an item differ', () => {
    const [first, second, ...rest] = snapshot().lines;
    const order = newOrder({ lines: [{ ...first!, unitPrice: 10 }, { ...second!, unitPrice: 13 }, ...rest] });
    expect(lineItems(order)[0]).toMatchObject({ unitPrice: 12.25, totalAmount: 735, originalPricesDiffer: true });
    expect(lineItems(newOrder())[0]).not.toHaveProperty('originalPricesDiffer');
  });

  it('does not count a reply equal to the original as a change', () => {
    const order = newOrder();
    const same = applyLinesPatch(order, [{ rowHash: hashOf(order, 'M'), vendorReplyQty: 20 }]);
    expect(same).not.toBe(order);
    expect([hasPendingChanges(same), lineItems(same)[0]?.isModified]).toEqual([false, false]);
  });
});

describe('an edit', () => {
  it.each([
    [
      'with an unknown line',
      (order: Order) => applyLinesPatch(order, [{ rowHash: 'x', vendorReplyQty: 1 }]),
      'ROW_NOT_FOUND',
      '/lines/0/rowHash',
    ],
    [
      'with two prices for one item',
      (order: Order) =>
        applyLinesPatch(order, [
          { rowHash: hashOf(order, 'S'), vendorReplyUnitPrice: 1 },
          { rowHash: hashOf(order, 'M'), vendorReplyUnitPrice: 2 },
        ]),
      'VALIDATION_FAILED',
      '/lines/1/vendorReplyUnitPrice',
    ],
    [
      'with a date before the order date',
      (order: Order) => applyHeaderPatch(order, { vendor_reply_xfd: '2026-01-04' }),
      'VALUE_OUT_OF_RANGE',
      '/vendor_reply_xfd',
    ],
    [
      'with a date before 1900',
      (order: Order) => applyHeaderPatch(order, HeaderPatch.parse({ vendor_reply_xfd: '1899-12-31' })),
      'VALUE_OUT_OF_RANGE',
      '/vendor_reply_xfd',
    ],
    [
      'with an overlong row hash',
      (order: Order) =>
        applyLinesPatch(order, LinesPatch.parse({ lines: [{ rowHash: 'x'.repeat(201), vendorReplyQty: 1 }] }).lines),
      'ROW_NOT_FOUND',
      '/lines/0/rowHash',
    ],
  ])('%s is refused with a pointer and a message in both languages', (_name, edit, code, pointer) => {
    const order = newOrder();
    expect(() => edit(order)).toThrow(
      expect.objectContaining({
        code,
        options: {
          errors: [
            expect.objectContaining({
              pointer,
              message: { en: expect.stringMatching(/^[ -~]+$/), zh: expect.stringMatching(/[\u4e00-\u9fff]/) },
            }),
          ],
        },
      }),
    );
  });
});

describe('approval', () => {
  it('freezes the current values as agreed, keeps the replies, and settles the edits', () => {
    const order = newOrder();
    const edited = applyLinesPatch(
      applyHeaderPatch(order, { vendor_reply_xfd: '2026-04-01', vendor_reply_comment: 'late' }),
      [{ rowHash: hashOf(order, 'M'), vendorReplyQty: 15, vendorReplyUnitPrice: 13 }],
    );
    expect(hasPendingChanges(edited)).toBe(true);
    const submitted = transition(edited, 'SUBMIT', 200);
    expect(hasPendingChanges(submitted.order)).toBe(true);
    expect(submitted.changes?.header).toEqual([
      { field: 'xfDate', from: '2026-03-01', to: '2026-04-01' },
      { field: 'vendorReplyComment', from: null, to: 'late' },
    ]);
    expect(submitted.changes?.lines).toHaveLength(4);
    const { order: approved, agreed } = transition(submitted.order, 'APPROVE', 300);
    expect(hasPendingChanges(approved)).toBe(false);
    expect(approved.xfd).toMatchObject({ reply: '2026-04-01', agreed: '2026-04-01', original: '2026-03-01' });
    expect(agreed).toEqual(agreementOf(approved));
    expect([agreed?.factory, approved.agreedAt]).toEqual(['F1', now.toISOString()]);
    expect(agreed?.lines.map(({ qty, unitPrice }) => [qty, unitPrice])).toEqual([
      [10, 13],
      [15, 13],
      [30, 13],
      [5, 9.99],
    ]);
  });

  it('makes the agreed values the baseline: clearing an agreed reply is a change, restoring it is not', () => {
    const order = newOrder();
    const approved = approve(applyLinesPatch(order, [{ rowHash: hashOf(order, 'M'), vendorReplyQty: 15 }]));
    const recalled = transition(approved, 'RECALL', 150).order;
    const cleared = applyLinesPatch(recalled, [{ rowHash: hashOf(order, 'M'), vendorReplyQty: null }]);
    expect(hasPendingChanges(cleared)).toBe(true);
    expect(transition(cleared, 'SUBMIT', 200).changes?.lines).toMatchObject([{ field: 'qty', from: 15, to: 20 }]);
    const back = applyLinesPatch(cleared, [{ rowHash: hashOf(order, 'M'), vendorReplyQty: 15 }]);
    expect(hasPendingChanges(back)).toBe(false);
  });

  it('makes later container and tracking numbers facts, which the next history entry lists once', () => {
    const confirmed = approve(newOrder());
    const loaded = applyHeaderPatch(confirmed, { container_number: 'C1' });
    expect(hasPendingChanges(loaded)).toBe(false);
    const produced = transition(loaded, 'MOVE_TO_PRODUCTION', 400);
    expect(produced.changes).toEqual({ header: [{ field: 'containerNumber', from: null, to: 'C1' }], lines: [] });
    expect(transition(produced.order, 'MARK_SHIPPED', 500).changes).toBeNull();
    const recalled = transition(loaded, 'RECALL', 150).order;
    expect(hasPendingChanges(recalled)).toBe(false);
    expect(hasPendingChanges(applyHeaderPatch(recalled, { container_number: 'C2' }))).toBe(true);
  });
});

it('items whose joined names are equal stay separate items', () => {
  const [first] = snapshot().lines;
  const order = newOrder({
    lines: [
      { ...first!, code: 'A\u001fB', style: 'C' },
      { ...first!, lineId: '2', code: 'A', style: 'B\u001fC', size: 'XL' },
    ],
  });
  expect(lineItems(order).map(({ code, style }) => [code, style])).toEqual([
    ['A\u001fB', 'C'],
    ['A', 'B\u001fC'],
  ]);
});
