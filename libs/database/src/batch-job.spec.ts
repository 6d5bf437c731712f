import { createLogger } from '@po/platform';
import { afterEach, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { eventually } from '@po/testing/eventually';
import { type Batch, BatchJob } from './batch-job.js';

const NEVER_MS = 2 ** 31 - 1;
const logger = createLogger('test', 'silent');

const valueOf = async (metric: string, name: string) => {
  const found = await register.getSingleMetric(metric)?.get();
  return found?.values.find(({ labels }) => labels.purge === name)?.value;
};

describe('a batch job', () => {
  let job: BatchJob;
  afterEach(() => job.stop());

  /** Starts a job for `left` rows and records the size of each requested batch. */
  const working = (
    left: number,
    { everyMs = NEVER_MS, longMs = Infinity, fails = (_batch: number): boolean => false } = {},
  ) => {
    const batches: number[] = [];
    const store = { left };
    const batch = (rows: number): Promise<Batch> => {
      batches.push(rows);
      if (fails(batches.length)) return Promise.reject(new Error('too much'));
      const done = Math.min(rows, store.left);
      store.left -= done;
      return Promise.resolve({ done, more: done === rows });
    };
    job = new BatchJob({ name: `test-${Math.random()}`, everyMs, batch, logger, firstMs: 0, pauseMs: 0, longMs });
    job.start();
    return { batches, store };
  };

  it('works in batches until nothing is left, and counts the rows', async () => {
    const { batches, store } = working(1_700);
    await eventually('nothing is left', () => store.left === 0);
    await job.stop();
    expect(batches).toEqual([500, 500, 500, 500]);
    expect(await valueOf('purge_rows_total', job.name)).toBe(1_700);
  });

  it('runs again for rows that are due in the meantime', async () => {
    const { store } = working(3, { everyMs: 1 });
    await eventually('nothing is left', () => store.left === 0);
    store.left = 7;
    await eventually('nothing is left again', () => store.left === 0);
  });

  it('halves the batch size after each failure and doubles it after each success', async () => {
    const { batches, store } = working(900, { everyMs: 1, fails: (batch) => batch <= 3 });
    await eventually('nothing is left', () => store.left === 0);
    expect(batches.slice(0, 7)).toEqual([500, 250, 125, 62, 124, 248, 496]);
    expect(await valueOf('purge_failures_total', job.name)).toBe(3);
  });

  it('halves the batch size after a slow batch, down to one row', async () => {
    const { batches, store } = working(1_000, { longMs: -1 });
    await eventually('nothing is left', () => store.left === 0);
    expect(batches.slice(0, 11)).toEqual([500, 250, 125, 62, 31, 15, 7, 3, 1, 1, 1]);
  });

  it('finishes its current batch when it is stopped, and starts no further batch', async () => {
    const first = Promise.withResolvers<Batch>();
    let batches = 0;
    let stopped = false;
    const batch = () => {
      batches += 1;
      return first.promise;
    };
    job = new BatchJob({ name: 'stopped', everyMs: 1, batch, logger, firstMs: 0, pauseMs: 0 });
    job.start();
    await eventually('a batch is under way', () => batches === 1);
    const stopping = job.stop().then(() => (stopped = true));
    expect(stopped).toBe(false);
    first.resolve({ done: 500, more: true });
    await stopping;
    expect(batches).toBe(1);
  });

  it('stops at once during a pause', async () => {
    const { batches } = working(0);
    await eventually('the job found nothing', () => batches.length === 1);
    await job.stop();
    expect(batches).toEqual([500]);
  });

  it('reports a growing delay while its batches fail, and none once it is stopped', async () => {
    const { batches } = working(0, { everyMs: 1, fails: () => true });
    await eventually('the job failed', () => batches.length > 0);
    const behind = (await valueOf('purge_behind_seconds', job.name)) ?? NaN;
    await eventually('the delay grows', async () => {
      const now = await valueOf('purge_behind_seconds', job.name);
      return now !== undefined && now > behind;
    });
    await job.stop();
    expect(await valueOf('purge_behind_seconds', job.name)).toBeUndefined();
  });
});
