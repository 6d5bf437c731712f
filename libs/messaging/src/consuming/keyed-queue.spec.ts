import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyedQueue } from './keyed-queue.js';

const MIB = 1024 * 1024;

describe('KeyedQueue', () => {
  it('keeps the order of each key, never exceeds the concurrency, and runs every task once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: fc.option(fc.constantFrom('a', 'b', 'c')), turns: fc.nat(4) }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        async (tasks, concurrency) => {
          const queue = new KeyedQueue(concurrency);
          const started = new Map<string, number[]>();
          const runningKeys = new Set<string>();
          let running = 0;
          let finished = 0;
          let overlaps = 0;
          for (const [index, { key, turns }] of tasks.entries()) {
            queue.push(key, 0, async () => {
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
          await queue.drained();
          expect(finished).toBe(tasks.length);
          expect(overlaps).toBe(0);
          expect(queue.size).toBe(0);
          for (const order of started.values()) expect(order).toEqual(order.toSorted((a, b) => a - b));
        },
      ),
    );
  });

  it('runs tasks of other keys while one key is stuck', async () => {
    const queue = new KeyedQueue(2);
    const stuck = Promise.withResolvers<void>();
    const passed: string[] = [];
    queue.push('stuck', 0, () => stuck.promise);
    queue.push('stuck', 0, () => Promise.resolve(void passed.push('behind')));
    queue.push('free', 0, () => Promise.resolve(void passed.push('free')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(passed).toEqual(['free']);
    stuck.resolve();
    await queue.drained();
    expect(passed).toEqual(['free', 'behind']);
  });

  it('reports a task that rejects, and runs the next of its key', async () => {
    const errors: unknown[] = [];
    const queue = new KeyedQueue(1, (error) => errors.push(error));
    const defect = new TypeError('a defect');
    queue.push('key', 0, () => Promise.reject(defect));
    queue.push('key', 0, () => Promise.resolve());
    await queue.drained();
    expect(errors).toEqual([defect, undefined]);
  });

  it('runs large tasks up to 4 MiB in total, and lets small tasks overtake the waiting ones', async () => {
    const queue = new KeyedQueue(10);
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const push = (name: string, bytes: number) =>
      queue.push(name, bytes, () => {
        started.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      });
    for (const name of ['a', 'b', 'c', 'd']) push(name, 2 * MIB);
    push('small', 1_000);
    push('larger than all', 8 * MIB);
    expect(started).toEqual(['a', 'b', 'small']);
    expect(queue.bytes).toBe(16 * MIB + 1_000);
    ends.get('a')?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(['a', 'b', 'small', 'c']);
    for (const name of ['b', 'c']) ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(['a', 'b', 'small', 'c', 'd', 'larger than all']);
    for (const name of ['small', 'd', 'larger than all']) ends.get(name)?.();
    await queue.drained();
    expect(queue.bytes).toBe(0);
  });
});
