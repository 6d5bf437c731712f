import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SampleOrder, type SampleState, activitiesOf, sampleOrders } from '../fixtures/order-states.js';
import { type TestRedis, testRedis } from '../fixtures/redis.js';
import { type Counting, positionAt, countingIn } from '../fixtures/counting.js';
import type { Counters } from './counters.js';
import type { Keys } from './keys.js';

describe('the counters', () => {
  let store: TestRedis;
  let keys: Keys;
  let counters: Counters;
  let begin: Counting['begin'];
  let feed: Counting['feed'];
  let signalled: Counting['signalled'];

  beforeAll(async () => {
    store = await testRedis();
  });
  beforeEach(() => {
    ({ keys, counters, begin, feed, signalled } = countingIn(store));
  });
  afterAll(() => store.close());

  it('keep no payloads of entries that are in no feed', async () => {
    const build = await begin();
    await build.finish();
    const order = new SampleOrder('PO-1', 'ACME');
    for (let offset = 0; offset < 30; offset += 1) await counters.apply(positionAt(offset), order.moveTo(200, offset));
    const base = `${keys.prefix}:${build.generation}`;
    expect(await store.redis.hlen(`${base}:entries`)).toBe(20);
    expect(await store.redis.hkeys(`${base}:entries`)).toEqual(
      expect.arrayContaining(await store.redis.zrange(`${base}:feed`, '0', '-1')),
    );
  });

  it('fill a later generation with activities that did not fit into the previous one', async () => {
    const first = await begin();
    await first.finish();
    const [early, late] = [new SampleOrder('PO-1', 'ACME'), new SampleOrder('PO-2', 'ACME')];
    for (let step = 0; step < 12; step += 1) await counters.apply(positionAt(step), early.moveTo(200, step));
    for (let step = 0; step < 25; step += 1) await counters.apply(positionAt(step, 1), late.moveTo(200, 100 + step));
    const second = await begin();
    const last = early.moveTo(150, 1_000);
    expect(await counters.apply(positionAt(12), last)).toBe('applied');
    await second.finish();
    expect(await feed('ACME')).toEqual(activitiesOf(last));
    expect(await feed(null)).toEqual(activitiesOf(last));
  });

  it("show the name in the entry if the vendor's name is unknown, as in data of the previous release", async () => {
    const build = await begin();
    await build.finish();
    const state = new SampleOrder('PO-1', 'ACME').moveTo(200);
    await counters.apply(positionAt(0), state);
    await store.redis.del(`${keys.prefix}:${build.generation}:vendors`);
    expect(await feed('ACME')).toEqual(activitiesOf(state));
  });

  it('signal nothing during a rebuild, but signal a rebuilt order when its own record arrives', async () => {
    const build = await begin();
    const order = new SampleOrder('PO-1', 'ACME');
    const [second, third] = [order.moveTo(200), order.moveTo(300)];
    for (const [offset, state] of [second, third].entries()) await build.write(positionAt(offset), state);
    await build.finish();
    expect(await signalled()).toEqual([]);
    expect(await counters.apply(positionAt(0), second)).toBe('duplicate');
    expect(await counters.apply(positionAt(1), third)).toBe('duplicate');
    expect(await signalled()).toEqual(['PO-1 3 300 ACME']);
  });

  it('keep counting if signals to gateways fail', async () => {
    await (await begin()).finish();
    await store.redis.set(keys.changed, 'no stream');
    expect(await counters.apply(positionAt(0), new SampleOrder('PO-1', 'ACME').moveTo(200))).toBe('applied');
    expect(await counters.kpis(null)).toMatchObject({ pending: 1 });
  });

  it('record the highest offset of each partition, in any order of arrival', async () => {
    const build = await begin();
    await build.finish();
    const [a, b, c] = sampleOrders(3) as [SampleState, SampleState, SampleState];
    await counters.apply(positionAt(12), a);
    await counters.apply(positionAt(9), b);
    await counters.apply(positionAt(3, 1), c);
    expect(await counters.positions(build.generation)).toEqual(
      new Map([
        ['po.state.v1/0', 12n],
        ['po.state.v1/1', 3n],
      ]),
    );
  });

  describe('after Redis reverts to an older copy', () => {
    const [first, second, third] = sampleOrders(3) as [SampleState, SampleState, SampleState];
    let olderCopy: () => Promise<void>;

    beforeEach(async () => {
      const build = await begin();
      await build.finish();
      await counters.apply(positionAt(5), first);
      const names = (await store.redis.keys(`${keys.prefix}:*`)).filter((name) => name.startsWith(`${keys.prefix}:`));
      const dumps = await Promise.all(names.map((name) => store.redis.dumpBuffer(name)));
      olderCopy = async () => {
        for (const [index, name] of names.entries()) {
          await store.redis.restore(name, 0, dumps[index] as Buffer, 'REPLACE');
        }
      };
    });

    it('report the loss at the next event, even one above a lost lower offset, and count nothing', async () => {
      await counters.apply(positionAt(4), second);
      await olderCopy();
      expect(await counters.apply(positionAt(6), third)).toBe('records-lost');
      expect(await counters.kpis(null)).toBeNull();
      expect(await counters.apply(positionAt(6), third)).toBe('no-generation');
    });

    it('report the loss without an event', async () => {
      await counters.apply(positionAt(6), second);
      expect(await counters.check()).toMatchObject({ hasLostRecords: false });
      await olderCopy();
      expect(await counters.check()).toEqual({ generation: null, hasLostRecords: true });
      expect(await counters.check()).toEqual({ generation: null, hasLostRecords: false });
    });

    it('report a generation that is older than the one last used', async () => {
      const next = await begin();
      await next.write(positionAt(5), first);
      await next.finish();
      await counters.apply(positionAt(6), second);
      await olderCopy();
      expect(await counters.check()).toEqual({ generation: null, hasLostRecords: true });
    });

    it('reject a generation that lost records during its rebuild', async () => {
      const build = await begin();
      await build.write(positionAt(5), first);
      await build.write(positionAt(6), second);
      await store.redis.hset(`${keys.prefix}:${build.generation}:positions`, 'po.state.v1/0/applied', '1');
      await expect(build.finish()).rejects.toThrow('lost records');
    });
  });
});
