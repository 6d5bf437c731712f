import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ContentError } from './content-error.js';
import { GroupCommit } from './group-commit.js';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a group commit', () => {
  it('stores waiting items as one batch, and items that arrive in the meantime as the next batch, in order', async () => {
    const batches: (readonly number[])[] = [];
    const storing = Promise.withResolvers<void>();
    const commits = new GroupCommit<number>(
      async (items) => {
        batches.push(items);
        if (batches.length === 1) await storing.promise;
      },
      { maxItems: 4 },
    );
    const first = [1, 2].map((item) => commits.add(item));
    await setImmediate();
    await setImmediate();
    const next = [3, 4, 5, 6, 7].map((item) => commits.add(item));
    expect(batches).toEqual([[1, 2]]);
    storing.resolve();
    await Promise.all([...first, ...next]);
    expect(batches).toEqual([[1, 2], [3, 4, 5, 6], [7]]);
  });

  it('waits between batches, except for the first after a pause and for a full batch', async () => {
    const batches: (readonly number[])[] = [];
    const commits = new GroupCommit<number>(
      (items) => {
        batches.push(items);
        return Promise.resolve();
      },
      { maxItems: 2, minIntervalMs: 1_000_000 },
    );
    await commits.add(1);
    await Promise.all([2, 3].map((item) => commits.add(item)));
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('stores several batches concurrently, each within its weight limit', async () => {
    const batches: (readonly number[])[] = [];
    const storing = Promise.withResolvers<void>();
    const commits = new GroupCommit<number>(
      async (items) => {
        batches.push(items);
        await storing.promise;
      },
      { maxItems: 3, concurrency: 2, weigh: { of: (item) => item, maxWeight: 10 } },
    );
    const added = [4, 5, 6, 99, 1, 1, 1, 1].map((item) => commits.add(item));
    await setImmediate();
    await setImmediate();
    expect(batches).toEqual([[4, 5], [6]]);
    storing.resolve();
    await Promise.all(added);
    expect(batches.slice(2)).toEqual([[99], [1, 1, 1], [1]]);
  });

  it.each([
    ['a content error', new ContentError('three')],
    ['a defect', new TypeError('three')],
  ])('stores the items of a batch one by one after %s, so that only the faulty item fails', async (_what, error) => {
    const stored: number[] = [];
    const commits = new GroupCommit<number>(
      (items) => {
        if (items.includes(3)) return Promise.reject(error);
        stored.push(...items);
        return Promise.resolve();
      },
      { maxItems: 64 },
    );
    const outcomes = await Promise.allSettled(numbers(6).map((item) => commits.add(item)));
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true, true]);
    expect(stored).toEqual([0, 1, 2, 4, 5]);
  });

  it('fails the remaining items of a split batch at once when the store becomes unavailable', async () => {
    const batches: (readonly number[])[] = [];
    const commits = new GroupCommit<number>(
      (items) => {
        batches.push(items);
        if (items.length > 1) return Promise.reject(new RangeError('one of them'));
        return items.includes(1) ? Promise.reject(new Error('away')) : Promise.resolve();
      },
      { maxItems: 64 },
    );
    const outcomes = await Promise.allSettled(numbers(4).map((item) => commits.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(outcomes[3]).toMatchObject({ reason: { message: 'away' } });
    expect(batches).toEqual([[0, 1, 2, 3], [0], [1]]);
  });

  it('fails a whole batch while the store is unavailable, and stores later batches when it is back', async () => {
    let away = true;
    const commits = new GroupCommit<number>(() => (away ? Promise.reject(new Error('away')) : Promise.resolve()), {
      maxItems: 64,
    });
    const outcomes = await Promise.allSettled(numbers(3).map((item) => commits.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    away = false;
    await Promise.all(numbers(3).map((item) => commits.add(item)));
  });

  it('splits batches that are too large for the store', async () => {
    const stored: number[] = [];
    const commits = new GroupCommit<number>(
      (items) => {
        if (items.length > 3) return Promise.reject(new Error('statement timeout'));
        stored.push(...items);
        return Promise.resolve();
      },
      { maxItems: 64 },
    );
    const untilStored = async (item: number): Promise<void> => commits.add(item).catch(() => untilStored(item));
    await Promise.all(numbers(100).map(untilStored));
    expect(stored.toSorted((a, b) => a - b)).toEqual(numbers(100));
  });

  it('stores each valid item once, and reports each result separately', async () => {
    const item = fc.record({ poison: fc.boolean(), later: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 40 }), fc.integer({ min: 1, max: 8 }), async (items, maxItems) => {
        const stored: number[] = [];
        const commits = new GroupCommit<number>(
          async (batch) => {
            expect(batch.length).toBeLessThanOrEqual(maxItems);
            await setImmediate();
            if (batch.some((index) => items[index]?.poison)) throw new ContentError('poison');
            stored.push(...batch);
          },
          { maxItems },
        );
        const outcomes = await Promise.allSettled(
          items.map(async ({ later }, index) => {
            for (let turn = 0; turn < later; turn += 1) await setImmediate();
            await commits.add(index);
          }),
        );
        expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(items.map(({ poison }) => poison));
        expect(stored.toSorted((a, b) => a - b)).toEqual(
          numbers(items.length).filter((index) => !items[index]?.poison),
        );
      }),
      { numRuns: 50 },
    );
  });
});
