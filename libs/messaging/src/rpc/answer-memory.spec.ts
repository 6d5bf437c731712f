import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pass, stopTheClock } from '../fixtures/virtual-time.js';
import { AnswerMemory } from './answer-memory.js';

const MIB = 1024 * 1024;
const PATIENCE_MS = 3_000;

describe('the memory for large answers', () => {
  let memory: AnswerMemory;
  let begun: string[];
  let refused: unknown[];
  let free: Map<string, () => void>;
  beforeEach(() => {
    stopTheClock();
    memory = new AnswerMemory();
    [begun, refused, free] = [[], [], new Map()];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const take = async (name: string, bytes: number, isResent = false) => {
    memory.take(bytes, { deadline: Date.now() + PATIENCE_MS, isResent }).then(
      (give) => {
        begun.push(name);
        free.set(name, give);
      },
      (error: unknown) => refused.push(error),
    );
    await pass(0);
  };
  const give = async (name: string) => {
    free.get(name)?.();
    await pass(0);
  };

  it('admits answers in order, as long as they fit', async () => {
    await take('a', 5 * MIB);
    await take('b', 5 * MIB);
    await take('c', 5 * MIB);
    await take('small behind c', MIB);
    expect(begun).toEqual(['a', 'b']);
    await give('a');
    expect(begun).toEqual(['a', 'b', 'c', 'small behind c']);
    await take('d', 2 * MIB);
    // Freeing the same bytes twice has no effect.
    await give('a');
    expect(begun).not.toContain('d');
  });

  it('admits an answer that exceeds the limit, but only alone', async () => {
    await take('larger', 1_000 * MIB);
    await take('next', 1);
    expect(begun).toEqual(['larger']);
    await give('larger');
    expect(begun).toEqual(['larger', 'next']);
  });

  it('refuses a waiting answer with Retry-After after half of its remaining time', async () => {
    await take('a', 10 * MIB);
    await take('b', 10 * MIB);
    await take('small behind b', MIB);
    await pass(PATIENCE_MS / 2 - 1);
    expect([begun, refused]).toEqual([['a'], []]);
    jest.advanceTimersByTime(1);
    await pass(0);
    expect(refused).toMatchObject([{ code: 'UNAVAILABLE', options: { headers: { 'retry-after': '2' } } }]);
    expect(begun).toEqual(['a', 'small behind b']);
    await give('a');
    await take('c', 10 * MIB);
    expect(begun).toEqual(['a', 'small behind b', 'c']);
  });

  it('refuses the answer to a resent request at once instead of letting it wait', async () => {
    await take('a', 5 * MIB, true);
    await take('b', 10 * MIB, true);
    await take('c', 10 * MIB);
    await take('small behind c', 1, true);
    expect(begun).toEqual(['a']);
    expect(refused).toMatchObject([{ code: 'UNAVAILABLE' }, { code: 'UNAVAILABLE' }]);
  });

  it('refuses an answer at once while 16 others wait', async () => {
    await take('a', 10 * MIB);
    for (let waiting = 0; waiting < 16; waiting += 1) await take('waits', 10 * MIB);
    expect(refused).toEqual([]);
    await take('one more', 1);
    expect(refused).toMatchObject([{ code: 'UNAVAILABLE' }]);
  });
});
