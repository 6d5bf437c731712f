import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Lanes } from './lanes.js';

describe('Lanes', () => {
  it('keeps the order of each key, never exceeds the concurrency, and runs every task once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: fc.option(fc.constantFrom('a', 'b', 'c')), turns: fc.nat(4) }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        async (tasks, concurrency) => {
          const lanes = new Lanes(concurrency);
          const started = new Map<string, number[]>();
          const runningKeys = new Set<string>();
          let running = 0;
          let finished = 0;
          let overlaps = 0;
          for (const [index, { key, turns }] of tasks.entries()) {
            lanes.push(key, async () => {
              running += 1;
              expect(running).toBeLessThanOrEqual(concurrency);
              if (key !== null) {
                if (runningKeys.has(key)) overlaps += 1;
                runningKeys.add(key);
                started.set(key, [...(started.get(key) ?? []), index]);
              }
              for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
              if (key !== null) runningKeys.delete(key);
              running -= 1;
              finished += 1;
            });
          }
          await lanes.drained();
          expect(finished).toBe(tasks.length);
          expect(overlaps).toBe(0);
          expect(lanes.size).toBe(0);
          for (const order of started.values()) expect(order).toEqual(order.toSorted((a, b) => a - b));
        },
      ),
    );
  });

  it('lets other keys pass one that is stuck', async () => {
    const lanes = new Lanes(2);
    const stuck = Promise.withResolvers<void>();
    const passed: string[] = [];
    lanes.push('stuck', () => stuck.promise);
    lanes.push('stuck', () => Promise.resolve(void passed.push('behind')));
    lanes.push('free', () => Promise.resolve(void passed.push('free')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(passed).toEqual(['free']);
    stuck.resolve();
    await lanes.drained();
    expect(passed).toEqual(['free', 'behind']);
  });
});
