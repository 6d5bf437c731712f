import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { clockAhead } from '../metrics.js';
import { SenderClocks } from './sender-clocks.js';

const GROUP = 'a-group';
const LOOK_MS = 1_000;

describe('the clock difference to a sender', () => {
  let lines: { aheadMs: number }[];
  let clocks: SenderClocks;
  beforeEach(() => {
    clockAhead.reset();
    lines = [];
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as { aheadMs: number }) });
    clocks = new SenderClocks(GROUP, logger);
  });

  /** The estimate after a record that took `took` milliseconds to its partition and waited there for `waited` milliseconds. */
  const hear = (
    { at, ahead, took = 3, waited = 0 }: { at: number; ahead: number; took?: number; waited?: number },
    sender = 'g1',
  ) =>
    clocks.aheadOf(sender, {
      timestamp: at - ahead - took - waited,
      arrival: { at, after: waited > LOOK_MS ? null : at - LOOK_MS },
    });
  const metric = async () => (await clockAhead.get()).values[0]?.value;

  it.each([-9_000, -6_000, -100, 3_000, 6_000, 9_000])('of %i ms is found by the first record', (ahead) => {
    expect(Math.abs(hear({ at: 50_000, ahead }) - ahead)).toBeLessThanOrEqual(3);
  });

  it('is zero until a record shows otherwise', () => {
    for (let at = 0; at < 60_000; at += 500) {
      const ahead = hear({ at, ahead: 0, took: at % 900 });
      expect(Math.abs(ahead)).toBeLessThanOrEqual(0);
    }
  });

  it('ignores the time that records wait in Kafka, even if all wait', () => {
    for (let at = 0; at < 120_000; at += 1_000) expect(hear({ at, ahead: 0, waited: 6_000 })).toBe(0);
    expect(hear({ at: 200_000, ahead: -6_000, waited: 4_000 })).toBeLessThan(0);
  });

  it('ignores the delay of a send that a broker held up', () => {
    hear({ at: 0, ahead: 0 });
    expect(hear({ at: 30_000, ahead: 0, took: 20_000 })).toBe(3);
    expect(hear({ at: 30_001, ahead: 0 })).toBe(3);
  });

  it('is kept per sender; above 1,000 senders the oldest is dropped', () => {
    hear({ at: 0, ahead: 6_000 }, 'off');
    expect(hear({ at: 1, ahead: 0 }, 'right')).toBe(0);
    for (let sender = 0; sender < 1_000; sender += 1) hear({ at: 2, ahead: 0 }, `s-${sender}`);
    expect(hear({ at: 3, ahead: 0, waited: 8_000 }, 'off')).toBe(0);
  });

  it('follows a corrected clock: at once when a record proves it, else after 20 s of records', () => {
    hear({ at: 0, ahead: 6_000 });
    expect(hear({ at: 1_000, ahead: 0 })).toBe(3);
    for (let at = 2_000; at <= 22_000; at += 1_000) hear({ at, ahead: 5_000 });
    expect(hear({ at: 23_000, ahead: 5_000 })).toBe(5_003);
  });

  it('is logged once a minute when too large, and limited to 10 s', async () => {
    expect(hear({ at: 0, ahead: 60_000 })).toBe(10_000);
    hear({ at: 1_000, ahead: 60_000 });
    expect(lines).toEqual([expect.objectContaining({ level: 40, group: GROUP, aheadMs: 60_003 })]);
    expect(await metric()).toBe(60.003);
    hear({ at: 70_000, ahead: -60_000 }, 'g2');
    expect(lines).toHaveLength(2);
    expect(await metric()).toBe(-59.997);
    hear({ at: 131_000, ahead: 0 }, 'g3');
    expect(await metric()).toBe(0);
    expect(lines).toHaveLength(2);
  });

  it('never exceeds the true difference plus the shortest delivery time, for any delays and order', () => {
    const record = fc.record({
      pause: fc.integer({ min: 0, max: 4_000 }),
      took: fc.integer({ min: 1, max: 15_000 }),
      waited: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: -9_000, max: 9_000 }), fc.array(record, { minLength: 1 }), (ahead, records) => {
        const one = new SenderClocks(GROUP, pino({ level: 'silent' }));
        let at = 0;
        one.aheadOf('g', { timestamp: at - ahead - 1, arrival: { at, after: at - LOOK_MS } });
        for (const { pause, took, waited } of records) {
          at += pause;
          const arrival = { at, after: waited > LOOK_MS ? null : at - LOOK_MS };
          const found = one.aheadOf('g', { timestamp: at - ahead - took - waited, arrival });
          // Never below the true value where that would make a new request look late.
          expect(found).toBeGreaterThanOrEqual(Math.min(ahead, 0));
          // Applies as long as the first record, which arrived at once, is in the kept spans.
          expect(found).toBeLessThanOrEqual(at < 10_000 ? Math.max(ahead, 0) + 1 : 10_000);
        }
      }),
    );
  });
});
