import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@po/client';
import type { BatchAnswer, BatchItem } from '../../api/transitions.js';
import {
  type Outcome,
  type Part,
  TOGETHER,
  automatic,
  partsOf,
  repeatable,
  runBulk,
  undone,
  withOutcomes,
} from './bulk.js';
import { done, refused } from './sample-results.js';

const targets = (count: number) => Array.from({ length: count }, (_, at) => ({ poRef: `PO-${at}`, version: at + 1 }));
const unanswered = (status: number, retryAfter?: string) =>
  new ApiProblem(
    null,
    new Response(null, {
      status,
      headers: { 'x-request-id': 'r2', ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
    }),
  );

/** `stopper`: what ends it. */
async function run(
  count: number,
  answer: (items: BatchItem[]) => BatchAnswer['results'],
  { comment = '', stopper = new AbortController() } = {},
) {
  const sent: BatchItem[][] = [];
  const keys: string[] = [];
  const rests: (number | null)[] = [];
  let known = new Map<string, Outcome>();
  const send = async ({ items, key }: Part) => {
    sent.push(items);
    keys.push(key);
    return { results: answer(items), succeeded: 0, failed: 0 };
  };
  const tell = (outcomes: Outcome[]) => {
    known = withOutcomes(known, outcomes);
  };
  const rest = (seconds: number | null) => {
    rests.push(seconds);
    // Nobody waits for a minute.
    if (seconds === 60) stopper.abort();
  };
  const parts = partsOf(targets(count), 'APPROVE', comment);
  const reasonOf = () => 'no answer';
  const left = await runBulk(parts, send, { tell, reasonOf, rest, signal: stopper.signal });
  return { sent, keys, rests, known, parts, left };
}

describe('one action for many orders', () => {
  it('goes in parts, each order in the version that was seen', async () => {
    const { sent, known } = await run(TOGETHER * 2 + 1, (items) => items.map(({ poRef }) => done(poRef)), {
      comment: 'fine',
    });
    expect(sent.map((items) => items.length)).toEqual([TOGETHER, TOGETHER, 1]);
    expect(sent[1]?.[0]).toEqual({
      poRef: `PO-${TOGETHER}`,
      version: TOGETHER + 1,
      action: 'APPROVE',
      comment: 'fine',
    });
    expect([known.size, undone(known)]).toEqual([TOGETHER * 2 + 1, []]);
  });

  it('says of each why it was refused, and goes on with the others', async () => {
    const { sent, known } = await run(3, (items) =>
      items.map(({ poRef }, at) => (at === 0 ? done(poRef) : refused(poRef, at === 1 ? 412 : 409))),
    );
    expect(sent[0]?.[0]).not.toHaveProperty('comment');
    expect(undone(known)).toEqual([
      { poRef: 'PO-1', state: 'failed', message: 'refused with 412', requestId: 'r-1', isStale: true },
      { poRef: 'PO-2', state: 'failed', message: 'refused with 409', requestId: 'r-1', isStale: false },
    ]);
  });

  it('is tried again for orders that are as they were seen, not for one that changed since', async () => {
    const { known } = await run(3, (items) => items.map(({ poRef }, at) => refused(poRef, at === 1 ? 412 : 409)));
    expect(repeatable(known).map(({ poRef }) => poRef)).toEqual(['PO-0', 'PO-2']);
  });

  it('counts those that an approval policy approved', async () => {
    const { known } = await run(3, (items) =>
      items.map(({ poRef }, at) => (at === 2 ? refused(poRef, 409) : { ...done(poRef), autoApproved: at === 0 })),
    );
    expect(automatic(known)).toBe(1);
    expect(known.get('PO-0')).toMatchObject({ state: 'done', autoApproved: true });
  });

  it('ends where the API does not answer, and says what was not tried', async () => {
    const { sent, known, parts, left } = await run(TOGETHER * 3, (items) => {
      if (items[0]?.poRef !== 'PO-0') throw unanswered(503);
      return items.map(({ poRef }) => done(poRef));
    });
    expect(sent).toHaveLength(2);
    expect(known.get('PO-0')?.state).toBe('done');
    expect(known.get(`PO-${TOGETHER}`)).toMatchObject({
      state: 'failed',
      message: 'no answer',
      requestId: 'r2',
    });
    expect(known.get(`PO-${TOGETHER * 2}`)).toEqual({ poRef: `PO-${TOGETHER * 2}`, state: 'untried' });
    expect(left).toEqual(parts.slice(1));
  });

  it('waits where the API has too much to do, and sends the same part again with its key', async () => {
    let refusals = 0;
    const { keys, rests, known, parts, left } = await run(TOGETHER + 1, (items) => {
      if (items.length === 1 && (refusals += 1) <= 2) throw unanswered(429, '0');
      return items.map(({ poRef }) => done(poRef));
    });
    const [first, second] = parts.map(({ key }) => key);
    expect(keys).toEqual([first, second, second, second]);
    expect(rests).toEqual([0, null, 0, null]);
    expect([known.size, undone(known), left]).toEqual([TOGETHER + 1, [], []]);
  });

  it.each(['while it waits', 'between two parts'])(
    'leaves the others as they are when it is stopped %s',
    async (when) => {
      const stopper = new AbortController();
      const { known, parts, left } = await run(
        TOGETHER * 3,
        (items) => {
          if (when === 'between two parts') stopper.abort();
          else if (items[0]?.poRef !== 'PO-0') throw unanswered(429, '60');
          return items.map(({ poRef }) => done(poRef));
        },
        { stopper },
      );
      expect(undone(known).map(({ state }) => state)).toEqual(Array.from({ length: TOGETHER * 2 }, () => 'untried'));
      expect(left).toEqual(parts.slice(1));
    },
  );

  it('tells the parts of which it is not known what was done, each with a key of its own', async () => {
    const { parts, left } = await run(TOGETHER + 1, (items) =>
      items.map(({ poRef }) => (poRef === 'PO-0' ? refused(poRef, 504) : done(poRef))),
    );
    expect(left).toEqual([parts[0]]);
    expect(new Set(parts.map(({ key }) => key)).size).toBe(2);
  });

  it('leaves done what was done, where it is asked for again and has no answer', async () => {
    const { known } = await run(1, () => [done('PO-0')]);
    const lost: Outcome = { poRef: 'PO-0', state: 'failed', message: 'lost', requestId: null, isStale: false };
    expect(withOutcomes(known, [lost])).toEqual(known);
  });
});
