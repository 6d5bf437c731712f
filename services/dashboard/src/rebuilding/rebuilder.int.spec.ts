import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HEADERS, type Kpis, TOPICS } from '@po/contracts';
import type { KafkaPort, OutgoingRecord } from '@po/messaging';
import { Breaker } from '@po/redis';
import { pino } from 'pino';
import { InMemoryKafka } from '../../../../libs/messaging/src/in-memory/in-memory-kafka.js';
import { eventually } from '../../../../test/support/eventually.js';
import { SampleOrder, type SampleState, sampleOrders, stateRecord } from '../../../../test/support/order-states.js';
import { portOver } from '../../../../test/support/port-over.js';
import { type TestRedis, testRedis } from '../../../../test/support/redis.js';
import { redisUrl } from '../../../../test/support/stores.js';
import { connectProjection } from '../projection/connection.js';
import { Counters } from '../projection/counters.js';
import { Build } from './generations.js';
import { type Keys, keysUnder } from '../projection/keys.js';
import { Rebuilder, type RebuilderOptions } from './rebuilder.js';

const GROUP = 'dashboard.events';
const EVERY_MS = 20;
const LOCK_MS = 600;
const logger = pino({ level: 'silent' });

describe('the rebuilder', () => {
  let store: TestRedis;
  let keys: Keys;
  let kafka: InMemoryKafka;
  let counters: Counters;
  let run = 0;
  const opened: Rebuilder[] = [];

  const rebuilder = (port: KafkaPort = kafka, options: Partial<RebuilderOptions> = {}) => {
    const one = new Rebuilder({
      kafka: port,
      group: GROUP,
      counters,
      redis: store.redis,
      connect: () => connectProjection(redisUrl(), logger, 5_000),
      keys,
      breaker: new Breaker(),
      logger,
      everyMs: EVERY_MS,
      lockMs: LOCK_MS,
      ...options,
    });
    opened.push(one);
    return one;
  };
  const publish = (...records: OutgoingRecord[]) => kafka.producer().send(records);
  const total = async () => {
    const kpis = await counters.kpis(null);
    return kpis && Object.values(kpis).reduce((sum, count) => sum + count, 0);
  };
  const generation = () => store.redis.get(keys.current);
  const finished = () => eventually('a generation is finished', async () => (await generation()) ?? undefined);

  beforeAll(async () => {
    store = await testRedis();
  });
  beforeEach(() => {
    run += 1;
    keys = keysUnder(`${store.prefix}-${run}`);
    kafka = new InMemoryKafka();
    counters = new Counters(store.redis, keys);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.stop()));
  });
  afterAll(() => store.close());

  it('fills an empty Redis from the topic, every vendor with its own', async () => {
    await publish(...sampleOrders(48).map(stateRecord));
    rebuilder().start();
    await finished();
    expect(await counters.kpis(null)).toEqual({
      new: 6,
      revision: 6,
      pending: 6,
      confirmed: 6,
      production: 6,
      shipped: 6,
      delivered: 6,
      cancelled: 6,
    } satisfies Kpis);
    expect(await counters.kpis('ACME')).toMatchObject({ new: 2, cancelled: 2 });
    expect(JSON.parse((await counters.recentActivity('BOLT')) ?? '')).toHaveLength(16);
    expect(await store.redis.exists(keys.lock, keys.building)).toBe(0);
  });

  it('takes its first look when its young connection stands, not before', async () => {
    const redis = connectProjection(redisUrl(), logger, 5_000);
    rebuilder(kafka, { redis, counters: new Counters(redis, keys), everyMs: 60_000 }).start();
    expect(await finished().finally(() => redis.disconnect())).toMatch(/^\d+$/);
  });

  it('builds nothing while a generation is in service', async () => {
    const one = rebuilder();
    await one.rebuild();
    const first = await generation();
    await one.rebuild();
    expect(await generation()).toBe(first);
    expect(await store.redis.exists(keys.lock, keys.building)).toBe(0);
  });

  it('finishes with zeros when there are no orders', async () => {
    rebuilder().start();
    await finished();
    expect(await total()).toBe(0);
    expect(await counters.recentActivity(null)).toBe('[]');
  });

  it('counts the newest version of each order of a topic that holds older ones too', async () => {
    const order = new SampleOrder('PO-1', 'ACME');
    await publish(stateRecord(order.moveTo(200)), stateRecord(order.moveTo(300)), stateRecord(order.moveTo(400)));
    rebuilder().start();
    await finished();
    expect(await counters.kpis(null)).toMatchObject({ pending: 0, confirmed: 0, production: 1 });
  });

  it('skips what is no order state, and the consumer would dead-letter', async () => {
    const good = stateRecord(sampleOrders(1)[0] as SampleState);
    await publish(
      { ...good, value: null },
      { ...good, value: '{' },
      { ...good, value: '{"poRef":"PO-0"}' },
      { ...good, value: Buffer.from([0x22, 0xff, 0x22]) },
      { ...good, key: 'PO-OTHER' },
      { ...good, headers: {} },
      { ...good, headers: { [HEADERS.cloudEventType]: 'other.v1' } },
      good,
    );
    rebuilder().start();
    await finished();
    expect(await total()).toBe(1);
  });

  it('notices a flush and rebuilds', async () => {
    await publish(...sampleOrders(10).map(stateRecord));
    rebuilder().start();
    const before = await finished();
    await store.flush();
    await eventually('the next generation is finished', async () => ((await generation()) ?? before) !== before);
    expect(await total()).toBe(10);
  });

  it('lets one of many processes build', async () => {
    await publish(...sampleOrders(200).map(stateRecord));
    const processes = Array.from({ length: 5 }, () => rebuilder());
    await Promise.all(processes.map((one) => one.rebuild()));
    const winner = await generation();
    for (const one of processes) one.start();
    await eventually('everything else is removed', async () =>
      (await store.keys())
        .filter((key) => key.startsWith(keys.prefix))
        .every((key) => key === keys.current || key.startsWith(`${keys.prefix}:${winner}:`)),
    );
    expect(await total()).toBe(200);
    expect(await generation()).toBe(winner);
  });

  it('takes over from a rebuilder that died, whose late writes change nothing', async () => {
    await publish(...sampleOrders(10).map(stateRecord));
    const dead = await Build.begin(store.redis, keys, 'dead', LOCK_MS);
    const stray = new SampleOrder('PO-STRAY', 'ACME').moveTo(900);
    await dead?.write({ partition: `${TOPICS.state}/0`, offset: '0' }, stray);
    rebuilder().start();
    const taken = await finished();
    expect(Number(taken)).toBeGreaterThan(Number(dead?.generation));
    await expect(dead?.write({ partition: `${TOPICS.state}/0`, offset: '1' }, stray)).rejects.toThrow('took over');
    await expect(dead?.renew(LOCK_MS)).rejects.toThrow('expired');
    await expect(dead?.finish()).rejects.toThrow('took over');
    await dead?.abandon();
    expect(await generation()).toBe(taken);
    expect(await total()).toBe(10);
    await eventually(
      'the dead one left no keys',
      async () => (await store.redis.keys(`${keys.prefix}:${dead?.generation}:*`)).length === 0,
    );
  });

  it('waits for a lock that another holds, and gives its own back when it fails', async () => {
    await publish(stateRecord(sampleOrders(1)[0] as SampleState));
    const build = await Build.begin(store.redis, keys, 'slow', LOCK_MS);
    await build?.renew(60_000);
    const waiting = rebuilder();
    await waiting.rebuild();
    expect(await generation()).toBeNull();
    await build?.abandon();
    kafka.down = true;
    await expect(waiting.rebuild()).rejects.toThrow('no broker answers');
    expect(await store.redis.exists(keys.lock, keys.building)).toBe(0);
    expect(await generation()).toBeNull();
    kafka.down = false;
    await waiting.rebuild();
    expect(await total()).toBe(1);
  });

  describe('while Kafka is slow', () => {
    let deliver: () => void;
    let slow: KafkaPort;

    beforeEach(async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      deliver = resolve;
      slow = portOver(kafka, {
        consumer: (options) => {
          const consumer = kafka.consumer(options);
          return {
            ...consumer,
            start: (handlers) =>
              consumer.start({
                ...handlers,
                onRecords: (records) => void promise.then(() => handlers.onRecords(records)),
              }),
          };
        },
      });
      await publish(...sampleOrders(10).map(stateRecord));
    });

    it('keeps its lock for as long as it builds', async () => {
      const building = rebuilder(slow).rebuild();
      const startedAt = performance.now();
      await eventually('the lock would have expired twice', async () => {
        expect(await store.redis.exists(keys.lock)).toBe(1);
        return performance.now() - startedAt > 2 * LOCK_MS;
      });
      expect(await Build.begin(store.redis, keys, 'other', LOCK_MS)).toBeNull();
      deliver();
      await building;
      expect(await total()).toBe(10);
    });

    it('gives up when its lock is lost, and when it is stopped', async () => {
      const one = rebuilder(slow);
      const lost = one.rebuild();
      await eventually('it builds', async () => (await store.redis.exists(keys.lock)) === 1);
      await store.redis.set(keys.lock, 'other');
      await expect(lost).rejects.toThrow('the lock expired');
      expect(await store.redis.get(keys.lock)).toBe('other');
      await store.redis.del(keys.lock);
      const stopped = one.rebuild();
      await eventually('it builds again', async () => (await store.redis.exists(keys.building)) === 1);
      await Promise.all([expect(stopped).rejects.toThrow('the process stops'), one.stop()]);
      expect(await store.redis.exists(keys.lock, keys.building, keys.current)).toBe(0);
    });
  });

  it('answers from the old generation until the new one has everything, live events included', async () => {
    const orders = ['PO-1', 'PO-2', 'PO-3'].map((poRef) => new SampleOrder(poRef, 'ACME'));
    await publish(...orders.map((order) => stateRecord(order.moveTo(200))));
    const one = rebuilder();
    await one.rebuild();
    const old = await generation();
    const build = await Build.begin(store.redis, keys, 'by hand', 60_000);
    await counters.apply({ partition: `${TOPICS.state}/0`, offset: '9' }, (orders[0] as SampleOrder).moveTo(300));
    expect(await counters.kpis(null)).toMatchObject({ pending: 2, confirmed: 1 });
    for (const { partition, offset, value } of kafka.records(TOPICS.state)) {
      await build?.write(
        { partition: `${TOPICS.state}/${partition}`, offset },
        JSON.parse(String(value)) as SampleState,
      );
    }
    expect(await generation()).toBe(old);
    await build?.finish();
    expect(await generation()).toBe(build?.generation);
    expect(await counters.kpis(null)).toMatchObject({ pending: 2, confirmed: 1 });
    expect(await counters.kpis('ACME')).toMatchObject({ pending: 2, confirmed: 1 });
  });

  it('rebuilds when Redis shows less than the group has committed, once', async () => {
    await publish(...sampleOrders(10).map(stateRecord));
    const emptied = await Build.begin(store.redis, keys, 'lost', LOCK_MS);
    await emptied?.finish();
    const consumer = kafka.consumer({ group: GROUP, topics: [TOPICS.state], from: 'earliest' });
    await consumer.start({
      onRecords: () => undefined,
      onAssigned: () => undefined,
      onRebalancing: () => undefined,
    });
    const full = kafka.records(TOPICS.state).at(-1);
    await consumer.commit([
      { topic: TOPICS.state, partition: full?.partition as number, offset: String(Number(full?.offset) + 1) },
    ]);
    rebuilder().start();
    await eventually('all orders are counted', async () => (await total()) === 10);
    const rebuilt = await generation();
    expect(rebuilt).not.toBe(emptied?.generation);
    const again = rebuilder();
    await again.look();
    await again.stop();
    expect(await generation()).toBe(rebuilt);
    await consumer.stop();
  });
});
