import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CalendarDate, HeaderPatch, Price, canonicalPoRef, text } from '../index.js';
import { MAX_PRICE } from '../limits.js';
import { comparedText } from './text.js';

/** The maximum price in ten-thousandths. */
const MAX_UNITS = Math.round(MAX_PRICE * 1e4);

describe('text validation', () => {
  it('counts code points, not UTF-16 units', () => {
    expect(text(3).safeParse('😀😀😀').success).toBe(true);
    expect(text(3).safeParse('😀😀😀x').success).toBe(false);
  });

  it.each(['a\u0000b', '\ud800', 'x\udc00'])('rejects %j, which PostgreSQL cannot store', (value) => {
    expect(text(100).safeParse(value).success).toBe(false);
  });

  it('accepts exactly the dates that exist in the calendar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2200 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (y, m, d) => {
          const written = `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
          const date = new Date(Date.UTC(y, m - 1, d));
          const real = date.getUTCFullYear() === y && date.getUTCMonth() === m - 1 && date.getUTCDate() === d;
          expect(CalendarDate.safeParse(written).success).toBe(real);
        },
      ),
    );
    for (const bad of ['2026-2-3', '2026-02-03T00:00:00Z', ' 2026-02-03', '', '26-02-03']) {
      expect(CalendarDate.safeParse(bad).success).toBe(false);
    }
  });

  it('rejects dates before 1900 with a clear message, but accepts any calendar date in a reply', () => {
    const [issue] = CalendarDate.safeParse('1899-12-31').error?.issues ?? [];
    expect(issue).toMatchObject({
      message: expect.stringContaining('from 1900-01-01 on'),
      params: { zh: expect.stringContaining('1900-01-01') },
    });
    for (const date of ['1899-12-31', '0001-01-01', '0004-02-29'])
      expect(HeaderPatch.safeParse({ vendor_reply_xfd: date }).success).toBe(true);
    for (const date of ['1899-02-29', '0000-01-01', '1800-02-29'])
      expect(HeaderPatch.safeParse({ vendor_reply_xfd: date }).success).toBe(false);
  });

  it('accepts prices above 0 with up to 4 decimals and within range', () => {
    for (const good of [0.0001, 1, 12.5, 9.99, 9_999_999_999.9999, 1e-4])
      expect([good, Price.safeParse(good).success]).toEqual([good, true]);
    for (const bad of [0, -1, 0.00001, 1.23456, 1e10, Number.NaN, Infinity, '1'])
      expect(Price.safeParse(bad).success).toBe(false);
  });

  it('accepts exactly the prices that can be written with 4 decimals', () => {
    const prices = fc.oneof(
      fc.integer({ min: 1, max: MAX_UNITS }).map((units) => units / 1e4),
      fc.integer({ min: 1, max: 1e10 }).map((units) => units / 1e5),
      fc.double({ min: 1e-4, max: MAX_PRICE, noNaN: true }),
    );
    fc.assert(
      fc.property(prices, (price) => {
        expect(Price.safeParse(price).success).toBe(Number(price.toFixed(4)) === price);
      }),
    );
  });

  it('normalizes compared texts of any script as PostgreSQL stores them', () => {
    const unit = fc.constantFrom('a', 'E', 'ÿ', ' ', '订', '\u0300', '\u0301', '\u1100', '\u1161', '\u212B');
    fc.assert(
      fc.property(fc.string({ unit }), (written) => {
        expect(comparedText(1_000).parse(written)).toBe(written.trim().normalize('NFC'));
      }),
    );
  });

  it('accepts PO references case-insensitively and rejects invalid ones', () => {
    expect(canonicalPoRef('po-1.a_2')).toBe('PO-1.A_2');
    for (const bad of ['', '-1', 'a b', 'x'.repeat(41), 'ä', 'ß', 'ı', 'a/b']) expect(canonicalPoRef(bad)).toBeNull();
  });
});
