import { describe, expect, it } from '@jest/globals';
import { FORMATS } from '../../language/formats.js';
import { EMPTY, type } from '../draft/draft.js';
import { matrixOf } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { minWidthOf, widthsOf } from './widths.js';

type Items = Parameters<typeof line>[0][];
const widths = (...items: Items) => widthsOf(matrixOf(items.map(line)), 'USD', FORMATS.en)(EMPTY.edits);

describe('column widths', () => {
  it('have the expected pixels for a usual order', () => {
    const sizes = { XS: 1, S: 100, M: [300, 270], L: 5, XL: 5 } as const;
    const usual = widths({ style: 'KP-2210', color: 'FOREST', sizes, price: 7.9 });
    expect(usual).toEqual({ style: 120, color: 80, size: 70, quantity: 70, price: 92, amount: 128 });
    expect(minWidthOf(usual, 5)).toBe(774);
  });

  it('have room for every digit of the order total', () => {
    const large = widths({ sizes: { S: 8_000_028, M: 8_000_000 }, price: 1_234.5678 });
    const room = (px: number) => Math.floor((px - 18) / 8);
    expect(room(large.quantity)).toBeGreaterThanOrEqual('16,000,028'.length);
    expect(room(large.size)).toBeGreaterThanOrEqual('8,000,028'.length);
    expect(room(large.amount)).toBeGreaterThanOrEqual('USD 19,753,119,369.88'.length);
  });

  it('have room for names up to a maximum', () => {
    const long = widths({ style: 'S'.repeat(80), color: '森林绿混纺', sizes: { S: 1 } });
    expect(long.style).toBe(200);
    expect(long.color).toBe(Math.ceil(10 * 7.5 + 16));
  });

  it('grow with a typed value only if it would be cut', () => {
    const matrix = matrixOf([line({ sizes: { XS: 1, S: 2, M: 3, L: 4, XL: 5 } })]);
    const [slot] = matrix.slots.values();
    const widthsAfter = widthsOf(matrix, 'USD', FORMATS.en);
    const after = (typed: number) => widthsAfter(type(EMPTY, slot ? [[slot, typed]] : []).edits);
    expect(after(99_000).size).toBe(after(1).size);
    expect(after(199_234).size).toBe(77);
    expect(after(199_234).amount).toBeGreaterThan(after(1).amount);
  });
});
