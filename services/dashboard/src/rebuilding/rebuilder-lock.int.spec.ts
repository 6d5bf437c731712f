import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import type { KafkaPort } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { SampleOrder, type SampleState, sampleOrders, stateRecord } from '../fixtures/order-states.js';
import { overridePort } from '@po/testing/override-port';
import { type TestRedis, testRedis } from '../fixtures/redis.js';
import { LOCK_MS, Rebuilding } from '../fixtures/rebuilding.js';
import { RebuildAttempt } from './rebuild-attempt.js';

describe('the rebuilder lock', () => {
  let store: TestRedis;
  let rebuilding: Rebuilding;

  beforeAll(async () => {
    store = await testRedis();
  });
  beforeEach(() => {
    rebuilding = new Rebuilding(store);
  });
  afterEach(() => rebuilding.stop());
  afterAll(() => store.close());

  it('lets only one of many processes build', async () => {
    await rebuilding.publish(...sampleOrders(200).map(stateRecord));
    const processes = Array.from({ length: 5 }, () => rebuilding.rebuilder());
    await Promise.all(processes.map((one) => one.rebuild()));
    const winner = await rebuilding.generation();
    for (const one of processes) one.start();
    await eventually('everything else is removed', async () =>
      (await store.keys())
        .filter((key) => key.startsWith(rebuilding.keys.prefix))
        .every((key) => key === rebuilding.keys.current || key.startsWith(`${rebuilding.keys.prefix}:${winner}:`)),
    );
    expect(await rebuilding.total()).toBe(200);
    expect(await rebuilding.generation()).toBe(winner);
  });

  it('is taken over from a dead rebuilder, whose late writes change nothing', async () => {
    await rebuilding.publish(...sampleOrders(10).map(stateRecord));
    const dead = await RebuildAttempt.begin(store.redis, rebuilding.keys, 'dead', LOCK_MS);
    const stray = new SampleOrder('PO-STRAY', 'ACME').moveTo(900);
    await dead?.write({ partition: `${TOPICS.state}/0`, offset: '0' }, stray);
    rebuilding.rebuilder().start();
    const taken = await rebuilding.finished();
    expect(Number(taken)).toBeGreaterThan(Number(dead?.generation));
    await expect(dead?.write({ partition: `${TOPICS.state}/0`, offset: '1' }, stray)).rejects.toThrow('took over');
    await expect(dead?.renew(LOCK_MS)).rejects.toThrow('expired');
    await expect(dead?.finish()).rejects.toThrow('took over');
    await dead?.abandon();
    expect(await rebuilding.generation()).toBe(taken);
    expect(await rebuilding.total()).toBe(10);
    await eventually(
      'the keys of the dead rebuilder are removed',
      async () => (await store.redis.keys(`${rebuilding.keys.prefix}:${dead?.generation}:*`)).length === 0,
    );
  });

  it('is removed with all keys when a build is abandoned', async () => {
    const failed = await RebuildAttempt.begin(store.redis, rebuilding.keys, 'failed', 60_000);
    const stray = new SampleOrder('PO-STRAY', 'ACME').moveTo(900);
    await failed?.write({ partition: `${TOPICS.state}/0`, offset: '0' }, stray);
    const left = async () => (await store.keys()).filter((key) => key.startsWith(rebuilding.keys.prefix));
    expect(await left()).not.toEqual([]);
    await failed?.abandon();
    expect(await left()).toEqual([]);
  });

  it('keeps a finished generation when the command is sent twice or the build is abandoned', async () => {
    const build = await RebuildAttempt.begin(store.redis, rebuilding.keys, 'repeated', 60_000);
    const order = new SampleOrder('PO-1', 'ACME').moveTo(900);
    await build?.write({ partition: `${TOPICS.state}/0`, offset: '0' }, order);
    await build?.finish();
    await build?.abandon();
    expect(await rebuilding.total()).toBe(1);
    await build?.finish();
    expect(await rebuilding.generation()).toBe(build?.generation);
  });

  it('makes a rebuilder wait for another, and is released after a failure', async () => {
    await rebuilding.publish(stateRecord(sampleOrders(1)[0] as SampleState));
    const build = await RebuildAttempt.begin(store.redis, rebuilding.keys, 'slow', 60_000);
    await build?.renew(60_000);
    const waiting = rebuilding.rebuilder();
    await waiting.rebuild();
    expect(await rebuilding.generation()).toBeNull();
    await build?.abandon();
    rebuilding.kafka.down = true;
    await expect(waiting.rebuild()).rejects.toThrow('no broker answers');
    expect(await store.redis.exists(rebuilding.keys.lock, rebuilding.keys.building)).toBe(0);
    expect(await rebuilding.generation()).toBeNull();
    rebuilding.kafka.down = false;
    await waiting.rebuild();
    expect(await rebuilding.total()).toBe(1);
  });

  describe('while Kafka is slow', () => {
    let deliver: () => void;
    let slow: KafkaPort;

    beforeEach(async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      deliver = resolve;
      slow = overridePort(rebuilding.kafka, {
        consumer: (options) => {
          const consumer = rebuilding.kafka.consumer(options);
          return {
            ...consumer,
            start: (handlers) =>
              consumer.start({
                ...handlers,
                onRecords: (...read) => void promise.then(() => handlers.onRecords(...read)),
              }),
          };
        },
      });
      await rebuilding.publish(...sampleOrders(10).map(stateRecord));
    });

    it('is kept for as long as the build takes', async () => {
      const building = rebuilding.rebuilder(slow).rebuild();
      const startedAt = performance.now();
      await eventually('the lock would have expired twice', async () => {
        expect(await store.redis.exists(rebuilding.keys.lock)).toBe(1);
        return performance.now() - startedAt > 2 * LOCK_MS;
      });
      expect(await RebuildAttempt.begin(store.redis, rebuilding.keys, 'other', LOCK_MS)).toBeNull();
      deliver();
      await building;
      expect(await rebuilding.total()).toBe(10);
    });

    it('ends the build when it is lost or the process stops', async () => {
      const one = rebuilding.rebuilder(slow);
      const lost = one.rebuild();
      await eventually('the rebuild is running', async () => (await store.redis.exists(rebuilding.keys.lock)) === 1);
      await store.redis.set(rebuilding.keys.lock, 'other');
      await expect(lost).rejects.toThrow('the lock expired');
      expect(await store.redis.get(rebuilding.keys.lock)).toBe('other');
      await store.redis.del(rebuilding.keys.lock);
      const stopped = one.rebuild();
      await eventually(
        'the second rebuild is running',
        async () => (await store.redis.exists(rebuilding.keys.building)) === 1,
      );
      await Promise.all([expect(stopped).rejects.toThrow('the process stops'), one.stop()]);
      expect(await store.redis.exists(rebuilding.keys.lock, rebuilding.keys.building, rebuilding.keys.current)).toBe(0);
    });
  });
});
