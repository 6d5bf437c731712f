import { expect, it } from '@jest/globals';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import { addDays } from '@po/contracts';
import fc from 'fast-check';
import { newOrder } from '../fixtures/orders.js';
import { type Replies, agreed, replied } from '../fixtures/submissions.js';
import { isWithin, deviationOf } from './tolerances.js';

/** A JSON number as an exact fraction of its decimal text. */
function fraction(value: number): [numerator: bigint, denominator: bigint] {
  const [whole = '', decimals = ''] = String(value).split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}

/** |to - from| * 100 <= percent * from, by cross multiplication of fractions. */
function isShareWithin(from: number, to: number, up: number, down: number): boolean {
  const [[fromUpper, fromLower], [toUpper, toLower]] = [fraction(from), fraction(to)];
  const difference = toUpper * fromLower - fromUpper * toLower;
  const [upper, lower] = fraction(difference > 0n ? up : down);
  const size = difference < 0n ? -difference : difference;
  return size * 100n * fromLower * lower <= upper * fromUpper * fromLower * toLower;
}

const cents = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => value / 100);
const price = fc.integer({ min: 100_000, max: 140_000 }).map((value) => value / 10_000);
const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const replies = fc.record({
  S: option(fc.integer({ min: 8, max: 12 })),
  M: option(fc.integer({ min: 18, max: 24 })),
  L: option(fc.integer({ min: 25, max: 33 })),
  price: option(price),
  days: option(fc.integer({ min: -10, max: 10 })),
  factory: option(fc.constantFrom('F1', 'F2')),
});
type Random = typeof replies extends fc.Arbitrary<infer T> ? T : never;
const policies = fc.record({
  // Small, so that each limit is also met exactly.
  maxDaysEarlier: fc.nat(12),
  maxDaysLater: fc.nat(12),
  maxQtyIncreasePercent: cents(300),
  maxQtyDecreasePercent: cents(100),
  maxPriceIncreasePercent: cents(300),
  maxPriceDecreasePercent: cents(100),
  allowFactoryChange: fc.boolean(),
});

const repliesOf = ({ S, M, L, price: unitPrice, days, factory }: Random): Replies => ({
  quantities: Object.fromEntries(Object.entries({ S, M, L }).filter(([, qty]) => qty !== undefined)) as Record<
    string,
    number
  >,
  ...(unitPrice === undefined ? {} : { price: unitPrice }),
  header: {
    ...(days === undefined ? {} : { vendor_reply_xfd: addDays('2026-03-01', days) }),
    ...(factory === undefined ? {} : { vendor_reply_factory: factory }),
    vendor_reply_comment: 'c',
  },
});

it('a submission is within a policy exactly if each difference from its baseline, original or agreed, is within it', () => {
  const original = { S: 10, M: 20, L: 30, price: 12.5, days: 0, factory: 'F1' };
  const after = (before: typeof original, random: Random) => ({
    ...before,
    ...(Object.fromEntries(Object.entries(random).filter(([, value]) => value !== undefined)) as typeof original),
  });
  const seen = { within: 0, beyond: 0 };
  fc.assert(
    fc.property(option(replies), replies, policies, (first, second, policy) => {
      const before = first ? after(original, first) : original;
      const now = after(before, second);
      const start = first ? agreed(repliesOf(first)) : newOrder();
      const order = replied(start, repliesOf(second));
      const days = now.days - before.days;
      const expected =
        days <= policy.maxDaysLater &&
        -days <= policy.maxDaysEarlier &&
        (policy.allowFactoryChange || before.factory === now.factory) &&
        (['S', 'M', 'L'] as const).every((size) =>
          isShareWithin(before[size], now[size], policy.maxQtyIncreasePercent, policy.maxQtyDecreasePercent),
        ) &&
        isShareWithin(before.price, now.price, policy.maxPriceIncreasePercent, policy.maxPriceDecreasePercent);
      seen[expected ? 'within' : 'beyond'] += 1;
      // As read from the history.
      const stored = JSON.parse(JSON.stringify(deviationOf(order))) as ReturnType<typeof deviationOf>;
      expect(isWithin(stored, { ...NO_DIFFERENCE, ...policy })).toBe(expected);
    }),
    { numRuns: 500 },
  );
  expect(Math.min(seen.within, seen.beyond)).toBeGreaterThan(20);
});
