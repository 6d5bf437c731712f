import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '@po/testing/any-character';
import type { Line, Negotiated } from '../domain/order.js';
import { exampleLine, exampleOrder } from '../fixtures/orders-database.js';
import type { LineItemEntity } from './line-item.entity.js';
import { linesOf, changedLineItems } from './line-items.js';

const ORDER = { id: 7, vendorCode: 'ACME' };

const negotiated = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Negotiated<T>> =>
  fc.record({
    original: value,
    source: value,
    reply: fc.option(value),
    agreed: fc.option(value),
    sourceChanged: fc.boolean(),
    edited: fc.boolean(),
  }) as fc.Arbitrary<Negotiated<T>>;

/** Lines of a few items in any sequence, with gaps between their positions. */
const orders: fc.Arbitrary<Line[]> = fc
  .array(
    fc.record({
      rowHash: fc.uuid(),
      gap: fc.nat(3),
      lineId: fc.string(),
      code: fc.constantFrom('A', 'B'),
      style: fc.constantFrom('S', '"\\{,}\u001f'),
      color: fc.constantFrom('NVY', '黑'),
      size: fc.string({ unit: anyCharacter }),
      sku: fc.option(fc.string()),
      qty: negotiated(fc.nat(9_999_999)),
      price: negotiated(fc.bigInt(0n, 99_999_999_999_999n)),
      removed: fc.boolean(),
      removalEchoed: fc.boolean(),
    }),
    { maxLength: 20 },
  )
  .map((rows) => {
    let position = 0;
    return rows.map(({ gap, ...line }) => ({ ...line, position: (position += 1 + gap) }));
  });

/** Rows as the database returns them, which guarantees no order. */
const stored = (rows: LineItemEntity[]) => JSON.parse(JSON.stringify(rows.toReversed())) as LineItemEntity[];

describe('line items', () => {
  it('are read as the lines that were written, in source order', () => {
    fc.assert(
      fc.property(orders, (lines) => {
        expect(linesOf(stored(changedLineItems(ORDER, [], lines)))).toEqual(lines);
      }),
    );
  });

  it('are written only if one of their lines differs', () => {
    fc.assert(
      fc.property(orders, orders, fc.array(fc.boolean(), { maxLength: 20 }), (before, others, swapped) => {
        const after = before.map((line, index) => {
          const other = others[index];
          const { rowHash, code, style, color, position } = line;
          return other && swapped[index] ? { ...other, rowHash, code, style, color, position } : { ...line };
        });
        const keyOf = ({ code, style, color }: Line | LineItemEntity) => JSON.stringify([code, style, color]);
        const rows = new Map(changedLineItems(ORDER, [], before).map((row) => [keyOf(row), row]));
        const changed = changedLineItems(ORDER, before, after);
        for (const row of changed) expect(row).not.toEqual(rows.get(keyOf(row)));
        for (const row of changed) rows.set(keyOf(row), row);
        expect(linesOf(stored([...rows.values()]))).toEqual(after);
      }),
    );
  });

  it('have their number of lines, and null if nothing is negotiated', () => {
    const [first, second, ...others] = exampleOrder('PO-1').lines as [Line, Line, ...Line[]];
    const joined = exampleLine('PO-1', 3, ['TEE01-NVY', 'TEE01', 'NVY', 'S']);
    const edited = { ...second, qty: { ...second.qty, reply: 0, edited: true } };
    const rows = changedLineItems(ORDER, [], [first, edited, ...others, { ...joined, removed: true }]);
    expect(rows).toMatchObject([
      {
        orderId: 7,
        vendorCode: 'ACME',
        code: 'TEE01-NVY',
        rowCount: 2,
        source: [
          [first.rowHash, 0, 'L1', 'M', 'TEE01-NVY-M', 100, 100, 125_000, 125_000, 0],
          [second.rowHash, 1, 'L2', 'L', 'TEE01-NVY-L', 50, 50, 125_000, 125_000, 0],
          [joined.rowHash, 3, 'L4', 'S', null, 100, 100, 125_000, 125_000, 1],
        ],
        negotiated: [null, [0, null, null, null, 2], null],
      },
      { code: 'HOOD7-BLK', rowCount: 1, negotiated: null },
    ]);
  });
});
