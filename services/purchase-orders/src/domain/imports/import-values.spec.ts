import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { priceIn, qtyIn } from './import-values.js';
import { formatMoney, moneyToNumber } from '../money.js';

const outcome = <T>(read: { value: T } | { fault: { code: string } }): T | string =>
  'fault' in read ? read.fault.code : read.value;
const qty = (cell: Parameters<typeof qtyIn>[0]) => outcome(qtyIn(cell));
const price = (cell: Parameters<typeof priceIn>[0]) => outcome(priceIn(cell));

describe('a quantity cell', () => {
  it.each([
    ...([
      [null, undefined],
      ['', undefined],
      [' \u00a0\u3000', undefined],
    ] as const),
    ...([
      ['clear', null],
      [' CLEAR ', null],
      ['清除', null],
    ] as const),
    ...([
      ['0', 0],
      [7, 7],
      ['9999999', 9_999_999],
      ['007', 7],
      ['12.0', 12],
      ['12,0', 12],
      ['+5', 5],
      ['-0', 0],
    ] as const),
    ...([
      ['１２', 12],
      ['１２．０', 12],
      ['12.', 12],
    ] as const),
    ...([
      ['10000000', 'OUT_OF_RANGE'],
      ['-1', 'OUT_OF_RANGE'],
      [-1, 'OUT_OF_RANGE'],
      ['9'.repeat(60), 'OUT_OF_RANGE'],
    ] as const),
    ...([
      ['12.5', 'INVALID_VALUE'],
      [0.5, 'INVALID_VALUE'],
      ['1,234', 'INVALID_VALUE'],
      ['1,234,567', 'INVALID_VALUE'],
      ['1.000', 'INVALID_VALUE'],
      ['012.000', 'INVALID_VALUE'],
      ['１．０００', 'INVALID_VALUE'],
      ['1.000.000', 'INVALID_VALUE'],
    ] as const),
    ...([
      ['12.00', 12],
      ['12.0000', 12],
      ['0.000', 0],
      ['.000', 0],
    ] as const),
    ...([
      ['1e3', 'INVALID_VALUE'],
      ['twelve', 'INVALID_VALUE'],
      ['.', 'INVALID_VALUE'],
      ['-', 'INVALID_VALUE'],
    ] as const),
    ...([
      ['TRUE', 'INVALID_VALUE'],
      ['#N/A', 'INVALID_VALUE'],
      ['0x10', 'INVALID_VALUE'],
      ['²', 'INVALID_VALUE'],
    ] as const),
    ...([
      [1e21, 'INVALID_VALUE'],
      [{ uncalculated: true }, 'INVALID_VALUE'],
    ] as const),
  ])('with %j gives %j', (cell, expected) => {
    expect(qty(cell)).toBe(expected);
  });

  it.each([qtyIn, priceIn])(
    'with a date or a percentage is refused, with the advice to format it as a number',
    (read) => {
      for (const cell of ['46085 (date)', '0.5 (percentage)']) {
        expect(read(cell)).toEqual({ fault: expect.objectContaining({ code: 'INVALID_VALUE' }) });
        expect(read(cell)).toMatchObject({ fault: { en: expect.stringContaining('format the cell as a number') } });
      }
    },
  );

  it('reads every written quantity back unchanged', () => {
    fc.assert(
      fc.property(fc.nat(9_999_999), (value) => {
        expect([qty(value), qty(String(value)), qty(` ${value}.00 `)]).toEqual([value, value, value]);
      }),
    );
  });
});

describe('the advice to round a number', () => {
  it.each([
    ['is', 'a quantity', 52.5, qtyIn],
    ['is', 'a quantity', '52.5', qtyIn],
    ['is not', 'a quantity', '1.000', qtyIn],
    ['is not', 'a quantity', '1.125', qtyIn],
    ['is not', 'a quantity', 'abc', qtyIn],
    ['is', 'a price', 12.28649, priceIn],
    ['is', 'a price', '1,2345678', priceIn],
    ['is not', 'a price', '1,234,567', priceIn],
    ['is not', 'a price', '1.125 USD', priceIn],
  ])('%s given for %s of %j', (given, _kind, cell, read) => {
    const text = (given === 'is' ? expect : expect.not).stringContaining('ROUND');
    expect(read(cell)).toMatchObject({ fault: { en: text, zh: text } });
  });
});

describe('a price cell', () => {
  it.each([
    ...([
      ['', undefined],
      ['clear', null],
    ] as const),
    ...([
      ['12.5', 125_000n],
      [12.5, 125_000n],
      ['12,5', 125_000n],
      ['.5', 5_000n],
      ['0,125', 1_250n],
    ] as const),
    ...([
      ['9999999999.9999', 99_999_999_999_999n],
      [0.0001, 1n],
      ['12.50000', 125_000n],
    ] as const),
    ...([
      ['0', 'OUT_OF_RANGE'],
      ['0.0000', 'OUT_OF_RANGE'],
      ['-1', 'OUT_OF_RANGE'],
      ['10000000000', 'OUT_OF_RANGE'],
    ] as const),
    ...([
      ['12.34567', 'INVALID_VALUE'],
      [0.00001, 'INVALID_VALUE'],
      ['1,234', 'INVALID_VALUE'],
    ] as const),
    ...([
      ['1,234.50', 'INVALID_VALUE'],
      ['1.234,50', 'INVALID_VALUE'],
      ['$12', 'INVALID_VALUE'],
      ['１２，５', 125_000n],
    ] as const),
  ])('with %j gives %j', (cell, expected) => {
    expect(price(cell)).toBe(expected);
  });

  it.each(['1,125', ' +012,500', '１，１２５'])('with %j is refused as unclear, like one with such a point', (cell) => {
    expect(priceIn(cell)).toEqual(priceIn('1.125', true));
  });

  it.each(['1,234,567', '1,234.500', 'x,125'])('with %j is refused as no number', (cell) => {
    expect(priceIn(cell)).toEqual(priceIn('x'));
  });

  it('reads every written price back unchanged, with point or comma', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), (money) => {
        const text = formatMoney(money);
        expect([price(moneyToNumber(money)), price(text), price(text.replace('.', ','))]).toEqual([
          money,
          money,
          money,
        ]);
      }),
    );
  });
});
