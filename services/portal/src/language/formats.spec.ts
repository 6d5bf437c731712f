import { describe, expect, it } from '@jest/globals';
import { FORMATS } from './formats.js';

describe('how dates and numbers are written', () => {
  it.each([
    ['en', '15 Mar 2027', '1,234,567', '1,234.50', '12.50', '12.1234'],
    ['zh', '2027年3月15日', '1,234,567', '1,234.50', '12.50', '12.1234'],
  ] as const)('in %s', (language, date, quantity, amount, price, exact) => {
    const formats = FORMATS[language];
    expect(formats.date('2027-03-15')).toBe(date);
    expect(formats.quantity(1_234_567)).toBe(quantity);
    expect(formats.amount(1234.5)).toBe(amount);
    expect([formats.price(12.5), formats.price(12.1234)]).toEqual([price, exact]);
  });

  it('says how long ago something was, and when, once that is long', () => {
    const now = Date.parse('2027-03-15T12:00:00Z');
    const { since } = FORMATS.en;
    expect(since('2027-03-15T11:59:30Z', now)).toBe('30 seconds ago');
    expect(since('2027-03-15T11:55:00Z', now)).toBe('5 minutes ago');
    expect(since('2027-03-15T09:00:00Z', now)).toBe('3 hours ago');
    expect(since('2027-03-14T12:00:00Z', now)).toBe('yesterday');
    expect(since('2027-01-14T12:00:00Z', now)).toMatch(/^14 Jan 2027, /);
    expect(FORMATS.zh.since('2027-03-15T11:55:00Z', now)).toBe('5分钟前');
  });
});
