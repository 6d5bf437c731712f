import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { advanceClock, useVirtualClock } from '../fixtures/virtual-time.js';
import { ReplyMemoryBudget } from './reply-memory-budget.js';

const MIB = 1024 * 1024;
const TIMEOUT_MS = 3_000;

describe('the memory budget for large replies', () => {
  let memory: ReplyMemoryBudget;
  let started: string[];
  let refused: unknown[];
  let free: Map<string, () => void>;
  beforeEach(() => {
    useVirtualClock();
    memory = new ReplyMemoryBudget();
    [started, refused, free] = [[], [], new Map()];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const take = async (name: string, bytes: number, { isResent = false, userId = name } = {}) => {
    memory.reserve(bytes, { deadline: Date.now() + TIMEOUT_MS, isResent, userId }).then(
      (give) => {
        started.push(name);
        free.set(name, give);
      },
      (error: unknown) => refused.push(error),
    );
    await advanceClock(0);
  };
  const give = async (name: string) => {
    free.get(name)?.();
    await advanceClock(0);
  };

  it('admits replies in order, as long as they fit', async () => {
    await take('a', 5 * MIB);
    await take('b', 5 * MIB);
    await take('c', 5 * MIB);
    await take('small behind c', MIB);
    expect(started).toEqual(['a', 'b']);
    await give('a');
    expect(started).toEqual(['a', 'b', 'c', 'small behind c']);
    await take('d', 2 * MIB);
    // Freeing the same bytes twice has no effect.
    await give('a');
    expect(started).not.toContain('d');
  });

  it('admits a reply that exceeds the limit, but only alone', async () => {
    await take('larger', 1_000 * MIB);
    await take('next', 1);
    expect(started).toEqual(['larger']);
    await give('larger');
    expect(started).toEqual(['larger', 'next']);
  });

  it('refuses a waiting reply with Retry-After after half of its remaining time', async () => {
    await take('a', 10 * MIB);
    await take('b', 10 * MIB);
    await take('small behind b', MIB);
    await advanceClock(TIMEOUT_MS / 2 - 1);
    expect([started, refused]).toEqual([['a'], []]);
    jest.advanceTimersByTime(1);
    await advanceClock(0);
    expect(refused).toMatchObject([{ code: 'UNAVAILABLE', options: { headers: { 'retry-after': '2' } } }]);
    expect(started).toEqual(['a', 'small behind b']);
    await give('a');
    await take('c', 10 * MIB);
    expect(started).toEqual(['a', 'small behind b', 'c']);
  });

  it('refuses the reply to a resent request at once instead of letting it wait', async () => {
    await take('a', 5 * MIB, { isResent: true });
    await take('b', 10 * MIB, { isResent: true });
    await take('c', 10 * MIB);
    await take('small behind c', 1, { isResent: true });
    expect(started).toEqual(['a']);
    expect(refused).toMatchObject([{ code: 'UNAVAILABLE' }, { code: 'UNAVAILABLE' }]);
  });

  it('lets one reply of a user wait and refuses further ones at once, so that another user waits for at most two', async () => {
    const ofAnn = { userId: 'ann' };
    await take('a', 12 * MIB, ofAnn);
    await take('b', 12 * MIB, ofAnn);
    await take('c', 1, ofAnn);
    await take('of Bob', MIB, { userId: 'bob' });
    expect([started, refused]).toMatchObject([['a'], [{ code: 'UNAVAILABLE' }]]);
    await give('a');
    await take('d', 1, ofAnn);
    await give('b');
    expect(started).toEqual(['a', 'b', 'of Bob', 'd']);
    expect(refused).toHaveLength(1);
  });

  it('refuses a reply at once while 16 others wait', async () => {
    await take('a', 10 * MIB);
    for (let waiting = 0; waiting < 16; waiting += 1) await take(`waits ${waiting}`, 10 * MIB);
    expect(refused).toEqual([]);
    await take('one more', 1);
    expect(refused).toMatchObject([{ code: 'UNAVAILABLE' }]);
  });
});
