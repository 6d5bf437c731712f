import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { sampleOrders, stateRecord } from '../fixtures/order-states.js';
import { type TestRedis, testRedis } from '../fixtures/redis.js';
import { Rebuilding } from '../fixtures/rebuilding.js';
import { Counters } from '../projection/counters.js';
import { requestRebuild } from './request-rebuild.js';
import type { Rebuilder } from './rebuilder.js';

describe('the rebuild job', () => {
  let store: TestRedis;
  let rebuilding: Rebuilding;
  let counters: Counters;
  let rebuilder: Rebuilder;

  beforeAll(async () => {
    store = await testRedis();
  });
  beforeEach(async () => {
    rebuilding = new Rebuilding(store);
    ({ counters } = rebuilding);
    await rebuilding.publish(...sampleOrders(16).map(stateRecord));
    rebuilder = rebuilding.rebuilder();
  });
  afterEach(() => rebuilding.stop());
  afterAll(() => store.close());

  const job = (timeoutMs: number) => requestRebuild(new Counters(store.redis, rebuilding.keys), timeoutMs);

  it('replaces the current generation by a newer one with the same counts', async () => {
    rebuilder.start();
    const before = await eventually(
      'a generation is finished',
      async () => (await counters.check()).generation ?? undefined,
    );
    const kpis = await counters.kpis(null);
    const { discarded, generation } = await job(10_000);
    expect(discarded).toBe(before);
    expect(Number(generation)).toBeGreaterThan(Number(before));
    expect(await counters.kpis(null)).toEqual(kpis);
    expect(await counters.kpis('ACME')).toMatchObject({ new: 1 });
  });

  it('waits for the first generation if none exists', async () => {
    const waiting = job(10_000);
    rebuilder.start();
    expect(await waiting).toMatchObject({ discarded: null, generation: await rebuilding.generation() });
  });

  it('waits as long as a generation is being filled', async () => {
    await rebuilder.rebuild();
    // Like a rebuilder that still reads the topic for the first time and writes nothing yet.
    await store.redis.set(rebuilding.keys.lock, 'of another rebuilder');
    const startedAt = performance.now();
    const waiting = job(1_000);
    rebuilder.start();
    await eventually("the job's timeout would have elapsed", () => performance.now() - startedAt > 1_500);
    await store.redis.del(rebuilding.keys.lock);
    expect(await waiting).toMatchObject({ generation: await rebuilding.generation() });
  });

  it('fails if no new generation is built, and leaves the old one discarded', async () => {
    await rebuilder.rebuild();
    await expect(job(200)).rejects.toThrow('no new generation became active, and none was being filled for 0.2 s');
    expect(await counters.kpis(null)).toBeNull();
  });
});
