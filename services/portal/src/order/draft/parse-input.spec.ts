import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FORMATS } from '../../language/formats.js';
import { inputErrorOf, parseCopied, parseInput } from './parse-input.js';

describe('typed or pasted text', () => {
  it.each([
    ['120', 120],
    [' 1,234 ', 1234],
    ['1 234 567', 1_234_567],
    ['1\u202F234', 1234],
    ['１，２３４', 1234],
    ['120.00', 120],
    ['1.0000', 1],
    ['0.000', 0],
    ['1,234.000', 1234],
    ["'7", 7],
    ['0', 0],
    ['9999999', 9_999_999],
    ['', null],
    ['clear', null],
    ['清除', null],
  ])('%j is read as the quantity %j', (text, typed) => {
    expect(parseInput(text, 'quantity')).toBe(typed);
  });

  it.each([
    ['12.5', 12.5],
    ['.5', 0.5],
    ['12,5', 12.5],
    ['€ 1 234,50', 1234.5],
    ['0,125', 0.125],
    ['1,2345', 1.2345],
    ['1,234,567', 1_234_567],
    ['1.000', 1],
    ['$ 1,234.5000', 1234.5],
    ['￥12.3456', 12.3456],
    ['12.50 USD', 12.5],
    ['9,999,999,999.9999', 9_999_999_999.9999],
  ])('%j is read as the price %j', (text, typed) => {
    expect(parseInput(text, 'price')).toBe(typed);
  });

  it.each([
    ['quantity', '1.5', 'notWhole'],
    ['quantity', '-1', 'negative'],
    ['quantity', '10000000', 'tooLarge'],
    ['quantity', 'ten', 'notNumber'],
    ['quantity', '1,23', 'notNumber'],
    ['quantity', '1.000', 'unclear'],
    ['quantity', '-012.000', 'unclear'],
    ['quantity', '-.0', 'notNumber'],
    ['price', '-.00', 'notNumber'],
    ['quantity', '1,234 567', 'notNumber'],
    ['quantity', '1e3', 'notNumber'],
    ['price', '0', 'zero'],
    ['price', '0.00001', 'decimals'],
    ['price', '-2', 'negative'],
    ['price', '10,000,000,000', 'tooLarge'],
    ['price', '1.2.3', 'notNumber'],
    ['price', '1,255', 'unclear'],
    ['price', '１，２５５', 'unclear'],
    ['price', 'about 1,255', 'notNumber'],
    ['price', ',', 'notNumber'],
    ['price', '0,00001', 'decimals'],
  ] as const)('as %s: %j stays text, with the error %s', (kind, text, fault) => {
    expect([parseInput(text, kind), inputErrorOf(text, kind)]).toEqual([text, fault]);
  });

  it.each([
    ['price', '125.000', '125.000'],
    ['price', ' １．１２５ VND ', '１．１２５ VND'],
    ['price', '0.125', 0.125],
    ['price', '1.1250', 1.125],
    ['price', '1.25', 1.25],
    ['price', '1,234.500', 1234.5],
    ['quantity', '1.000', '1.000'],
    ['quantity', '1,000', 1000],
  ] as const)('as a copied %s: %j is read as %j, and a text is unclear', (kind, text, typed) => {
    expect(parseCopied(text, kind)).toBe(typed);
    expect(inputErrorOf(parseCopied(text, kind), kind)).toBe(typeof typed === 'string' ? 'unclear' : null);
  });

  it('is read back from the displayed form in both languages', () => {
    const quantities = fc.integer({ min: 0, max: 9_999_999 });
    const prices = fc.integer({ min: 1, max: 99_999_999_999 }).map((units) => units / 10_000);
    fc.assert(
      fc.property(quantities, prices, fc.constantFrom('en', 'zh'), (quantity, price, language) => {
        expect(parseInput(FORMATS[language].quantity(quantity), 'quantity')).toBe(quantity);
        expect(parseInput(FORMATS[language].price(price), 'price')).toBe(price);
      }),
    );
  });

  it('is either a value within bounds, empty or an error', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('quantity', 'price'), (text, kind) => {
        const typed = parseInput(text, kind);
        expect(typeof typed === 'string').toBe(inputErrorOf(typed, kind) !== null);
        expect(typeof typed === 'number' && typed < 0).toBe(false);
      }),
    );
  });
});
