import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@po/client';
import {
  type BatchAnswer,
  type BatchItem,
  type Outcome,
  type Batch,
  BATCH_SIZE,
  autoApprovedCount,
  batchesOf,
  retryable,
  runBulk,
  notDone,
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

/** Runs an action for `count` orders. `stopper` aborts the run. */
async function run(
  count: number,
  answer: (items: BatchItem[]) => BatchAnswer['results'],
  { comment = '', stopper = new AbortController() } = {},
) {
  const sent: BatchItem[][] = [];
  const keys: string[] = [];
  const waits: (number | null)[] = [];
  let known = new Map<string, Outcome>();
  const send = async ({ items, key }: Batch) => {
    sent.push(items);
    keys.push(key);
    return { results: answer(items), succeeded: 0, failed: 0 };
  };
  const report = (outcomes: Outcome[]) => {
    known = withOutcomes(known, outcomes);
  };
  const onWait = (seconds: number | null) => {
    waits.push(seconds);
    // The test does not wait for a minute.
    if (seconds === 60) stopper.abort();
  };
  const batches = batchesOf(targets(count), 'APPROVE', comment);
  const reasonOf = () => 'no answer';
  const left = await runBulk(batches, send, { report, reasonOf, onWait, signal: stopper.signal });
  return { sent, keys, waits, known, batches, left };
}

describe('a bulk action', () => {
  it('is sent in batches, each order with the version that the user saw', async () => {
    const { sent, known } = await run(BATCH_SIZE * 2 + 1, (items) => items.map(({ poRef }) => done(poRef)), {
      comment: 'fine',
    });
    expect(sent.map((items) => items.length)).toEqual([BATCH_SIZE, BATCH_SIZE, 1]);
    expect(sent[1]?.[0]).toEqual({
      poRef: `PO-${BATCH_SIZE}`,
      version: BATCH_SIZE + 1,
      action: 'APPROVE',
      comment: 'fine',
    });
    expect([known.size, notDone(known)]).toEqual([BATCH_SIZE * 2 + 1, []]);
  });

  it('reports the reason for each refused order and continues with the others', async () => {
    const { sent, known } = await run(3, (items) =>
      items.map(({ poRef }, at) => (at === 0 ? done(poRef) : refused(poRef, at === 1 ? 412 : 409))),
    );
    expect(sent[0]?.[0]).not.toHaveProperty('comment');
    expect(notDone(known)).toEqual([
      { poRef: 'PO-1', state: 'failed', message: 'refused with 412', requestId: 'r-1', isStale: true },
      { poRef: 'PO-2', state: 'failed', message: 'refused with 409', requestId: 'r-1', isStale: false },
    ]);
  });

  it('can be retried for unchanged orders, but not for an order that changed in the meantime', async () => {
    const { known } = await run(3, (items) => items.map(({ poRef }, at) => refused(poRef, at === 1 ? 412 : 409)));
    expect(retryable(known).map(({ poRef }) => poRef)).toEqual(['PO-0', 'PO-2']);
  });

  it('counts the orders that a policy approved automatically', async () => {
    const { known } = await run(3, (items) =>
      items.map(({ poRef }, at) => (at === 2 ? refused(poRef, 409) : { ...done(poRef), autoApproved: at === 0 })),
    );
    expect(autoApprovedCount(known)).toBe(1);
    expect(known.get('PO-0')).toMatchObject({ state: 'done', autoApproved: true });
  });

  it('ends when the API does not answer, and reports the orders that were not tried', async () => {
    const { sent, known, batches, left } = await run(BATCH_SIZE * 3, (items) => {
      if (items[0]?.poRef !== 'PO-0') throw unanswered(503);
      return items.map(({ poRef }) => done(poRef));
    });
    expect(sent).toHaveLength(2);
    expect(known.get('PO-0')?.state).toBe('done');
    expect(known.get(`PO-${BATCH_SIZE}`)).toMatchObject({
      state: 'failed',
      message: 'no answer',
      requestId: 'r2',
    });
    expect(known.get(`PO-${BATCH_SIZE * 2}`)).toEqual({ poRef: `PO-${BATCH_SIZE * 2}`, state: 'untried' });
    expect(left).toEqual(batches.slice(1));
  });

  it('waits at the rate limit and sends the same batch again with its key', async () => {
    let refusals = 0;
    const { keys, waits, known, batches, left } = await run(BATCH_SIZE + 1, (items) => {
      if (items.length === 1 && (refusals += 1) <= 2) throw unanswered(429, '0');
      return items.map(({ poRef }) => done(poRef));
    });
    const [first, second] = batches.map(({ key }) => key);
    expect(keys).toEqual([first, second, second, second]);
    expect(waits).toEqual([0, null, 0, null]);
    expect([known.size, notDone(known), left]).toEqual([BATCH_SIZE + 1, [], []]);
  });

  it.each(['while it waits', 'between two batches'])(
    'leaves the remaining orders unchanged when the user stops it %s',
    async (when) => {
      const stopper = new AbortController();
      const { known, batches, left } = await run(
        BATCH_SIZE * 3,
        (items) => {
          if (when === 'between two batches') stopper.abort();
          else if (items[0]?.poRef !== 'PO-0') throw unanswered(429, '60');
          return items.map(({ poRef }) => done(poRef));
        },
        { stopper },
      );
      expect(notDone(known).map(({ state }) => state)).toEqual(Array.from({ length: BATCH_SIZE * 2 }, () => 'untried'));
      expect(left).toEqual(batches.slice(1));
    },
  );

  it('returns the batches with an unknown outcome, each with its own key', async () => {
    const { batches, left } = await run(BATCH_SIZE + 1, (items) =>
      items.map(({ poRef }) => (poRef === 'PO-0' ? refused(poRef, 504) : done(poRef))),
    );
    expect(left).toEqual([batches[0]]);
    expect(new Set(batches.map(({ key }) => key)).size).toBe(2);
  });

  it('returns a batch with its key if the API still carries out an earlier request for one of its orders', async () => {
    const { batches, left } = await run(1, (items) =>
      items.map(({ poRef }) => refused(poRef, 409, 'IDEMPOTENCY_IN_PROGRESS')),
    );
    expect(left).toEqual(batches);
  });

  it('keeps an order done if a repeated request gets no answer', async () => {
    const { known } = await run(1, () => [done('PO-0')]);
    const lost: Outcome = { poRef: 'PO-0', state: 'failed', message: 'lost', requestId: null, isStale: false };
    expect(withOutcomes(known, [lost])).toEqual(known);
  });
});
