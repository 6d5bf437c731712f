import { describe, expect, it } from '@jest/globals';
import { type PurchaseOrderDiff, PurchaseOrderDiff as Diff } from '@po/contracts';
import fc from 'fast-check';
import { lineItems, newOrder, reconcile, snapshot } from '../fixtures/orders.js';
import { diffOf } from './diff.js';
import { applyHeaderPatch, applyLinesPatch } from './edits.js';
import { moneyOf, moneyToNumber, roundToCents } from './money.js';
import type { Order } from './order.js';
import { applyTransition } from './transitions.js';
import { agreementOf } from './values.js';

const now = new Date('2026-11-21T08:00:00.000Z');
const move = (order: Order, action: 'APPROVE' | 'RECALL' | 'MOVE_TO_PRODUCTION', toStatusId: Order['statusId']) =>
  applyTransition(order, { action, toStatusId, now }).order;
const approve = (order: Order) => move(order, 'APPROVE', 300);
const hashOf = (order: Order, size: string) => order.lines.find((line) => line.size === size)?.rowHash ?? '';
const replied = (order: Order, size: string, vendorReplyQty: number | null) =>
  applyLinesPatch(order, [{ rowHash: hashOf(order, size), vendorReplyQty }]);
const [, medium] = snapshot().lines;
/** Lines as `size field original/reply/agreed/current`. */
const differences = (order: Order) =>
  diffOf(order).lines.map(({ size, field, original, reply, agreed, current }) =>
    [size, field, [original, reply, agreed, current].map(String).join('/')].join(' '),
  );

describe('a diff', () => {
  it('of a newly imported order contains only totals', () => {
    expect(diffOf(newOrder())).toEqual({
      poRef: 'PO-1',
      version: 0,
      header: [],
      lines: [],
      totals: {
        originalQty: 65,
        qty: 65,
        agreedQty: null,
        originalAmount: 799.95,
        amount: 799.95,
        agreedAmount: null,
      },
    });
  });

  it("contains the vendor's proposals before any agreement, with a price on every line of its item", () => {
    const order = applyHeaderPatch(newOrder(), { vendor_reply_xfd: '2026-04-01', vendor_reply_factory: 'F1' });
    const edited = applyLinesPatch(replied(order, 'L', 30), [
      { rowHash: hashOf(order, 'M'), vendorReplyQty: 15, vendorReplyUnitPrice: 13.0001 },
    ]);
    const { header, totals } = diffOf(edited);
    expect(header).toEqual([
      { field: 'xfDate', original: '2026-03-01', reply: '2026-04-01', agreed: null, current: '2026-04-01' },
    ]);
    expect(differences(edited)).toEqual([
      'S unitPrice 12.5/13.0001/null/13.0001',
      'M qty 20/15/null/15',
      'M unitPrice 12.5/13.0001/null/13.0001',
      'L unitPrice 12.5/13.0001/null/13.0001',
    ]);
    expect(totals).toMatchObject({ originalQty: 65, qty: 60, agreedQty: null, agreedAmount: null, amount: 764.96 });
  });
});

/** Each line is its own item here, so that the line items show every value of every line. */
const ROWS = ['NVY', 'RED', 'BLK'];
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('send' as const),
      rows: fc.tuple(...ROWS.map(() => fc.option(fc.record({ qty: fc.nat(3), price: fc.constantFrom(1, 2.005) })))),
      xfd: fc.constantFrom('2026-03-01', '2026-04-01'),
      factory: fc.constantFrom('F1', null),
    }),
    fc.record({
      kind: fc.constant('reply' as const),
      row: fc.nat(2),
      qty: fc.option(fc.nat(3)),
      price: fc.option(fc.constantFrom(1, 2.005, 3)),
      xfd: fc.constantFrom('2026-03-01', '2026-05-01', null),
      factory: fc.constantFrom('F1', 'F2', null),
    }),
    fc.record({ kind: fc.constantFrom('approve' as const, 'recall' as const, 'produce' as const) }),
  ),
  { maxLength: 12 },
);
type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;

function after(order: Order, step: Step): Order {
  const isOpen = [100, 150].includes(order.statusId);
  switch (step.kind) {
    case 'approve':
      return isOpen ? approve(order) : order;
    case 'produce':
      return order.statusId === 300 ? move(order, 'MOVE_TO_PRODUCTION', 400) : order;
    case 'recall':
      return isOpen ? order : move(order, 'RECALL', 150);
    case 'reply': {
      if (!isOpen) return order;
      const { qty, price, xfd, factory } = step;
      const line = order.lines.find(({ color, removed }) => color === ROWS[step.row] && !removed);
      const lines = line ? [{ rowHash: line.rowHash, vendorReplyQty: qty, vendorReplyUnitPrice: price }] : [];
      return applyLinesPatch(applyHeaderPatch(order, { vendor_reply_xfd: xfd, vendor_reply_factory: factory }), lines);
    }
    case 'send': {
      const lines = ROWS.flatMap((color, index) => {
        const row = step.rows[index];
        return row ? [{ ...medium!, lineId: color, code: color, color, qty: row.qty, unitPrice: row.price }] : [];
      });
      const { xfd, factory } = step;
      const outcome = reconcile(order, {
        ...snapshot(),
        xfd,
        factory,
        lines,
        sourceRevision: order.sourceRevision + 1,
      });
      return outcome.kind === 'ignored' ? order : outcome.order;
    }
    default:
      return step satisfies never;
  }
}

/** The contract, implemented naively: the values of all lines that were ever visible, filtered by whether they differ. */
function naiveDiff(order: Order, gone: Map<string, number>): Pick<PurchaseOrderDiff, 'header' | 'lines' | 'totals'> {
  const agreement = agreementOf(order);
  const differs = (
    { original, agreed, current }: { original: unknown; agreed: unknown; current: unknown },
    has = true,
  ) => current !== original || (has && agreed !== current);
  const value = ({ original, reply }: Order['xfd'] | Order['factory'], agreed: string | null = null) => ({
    original,
    reply,
    agreed,
    current: reply ?? original,
  });
  const items = lineItems(order);
  const lines = order.lines.flatMap(({ rowHash, code, style, color, size, qty }): PurchaseOrderDiff['lines'] => {
    const agreed = agreement?.lines.find((line) => line.rowHash === rowHash);
    const item = items.find((one) => one.sizes[size]?.rowHash === rowHash);
    const row = { rowHash, code, style, color, size };
    const seen = item?.sizes[size];
    const quantity = { agreed: agreed?.qty ?? null, reply: seen ? seen.vendorReplyQty : qty.reply };
    const all = [
      {
        ...row,
        ...quantity,
        field: 'qty' as const,
        original: seen?.originalQty ?? gone.get(rowHash) ?? NaN,
        current: seen?.qty ?? 0,
      },
      ...(item
        ? [
            {
              ...row,
              field: 'unitPrice' as const,
              agreed: agreed?.unitPrice ?? null,
              original: item.originalUnitPrice,
              reply: item.vendorReplyUnitPrice,
              current: item.unitPrice,
            },
          ]
        : []),
    ];
    return all.filter((one) => differs(one, agreed !== undefined));
  });
  const sum = (numbers: number[]) => moneyToNumber(numbers.reduce((total, one) => total + moneyOf(one), 0n));
  const amount = (line: { qty: number; unitPrice: number }) =>
    moneyToNumber(roundToCents(BigInt(line.qty) * moneyOf(line.unitPrice)));
  return {
    header: [
      { field: 'xfDate' as const, ...value(order.xfd, agreement?.xfd) },
      { field: 'factory' as const, ...value(order.factory, agreement?.factory) },
    ].filter((one) => differs(one, agreement !== null)),
    lines,
    totals: {
      originalQty: sum(items.map(({ originalTotalQty }) => originalTotalQty)),
      qty: sum(items.map(({ totalQty }) => totalQty)),
      agreedQty: agreement && sum(agreement.lines.map(({ qty }) => qty)),
      originalAmount: sum(items.map(({ originalTotalAmount }) => originalTotalAmount)),
      amount: sum(items.map(({ totalAmount }) => totalAmount)),
      agreedAmount: agreement && sum(agreement.lines.map(amount)),
    },
  };
}

it('a diff equals the naive one after any sequence of changes to an order', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      let order = newOrder({ lines: ROWS.map((color) => ({ ...medium!, lineId: color, code: color, color })) });
      const originals = new Map<string, number>();
      for (const step of sequence) {
        for (const { sizes } of lineItems(order))
          for (const { rowHash, originalQty } of Object.values(sizes)) originals.set(rowHash, originalQty);
        order = after(order, step);
        const { poRef, version, ...rest } = Diff.strict().parse(diffOf(order));
        expect([poRef, version]).toEqual(['PO-1', order.version]);
        expect(rest).toEqual(naiveDiff(order, originals));
      }
    }),
  );
});
