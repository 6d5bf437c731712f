import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HEADERS, type Kpis, TOPICS } from '@po/contracts';
import type { ConsumerOptions, ConsumerPort, IncomingRecord, KafkaPort } from '@po/messaging';
import { Breaker } from '@po/redis';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { overridePort } from '@po/testing/override-port';
import { SampleOrder, type SampleState, sampleOrders, stateRecord } from '../fixtures/order-states.js';
import { type TestRedis, testRedis } from '../fixtures/redis.js';
import { GROUP, LOCK_MS, Rebuilding, connectRedis } from '../fixtures/rebuilding.js';
import { Counters, type Position } from '../projection/counters.js';
import { RebuildAttempt } from './rebuild-attempt.js';

const lastOfEachKey = (records: readonly IncomingRecord[]): IncomingRecord[] => [
  ...new Map(records.map((record) => [String(record.key), record])).values(),
];

describe('the rebuilder', () => {
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

  /** Commits the last record of the topic, and returns the position after it. */
  const commitLast = async (): Promise<Position> => {
    const consumer = rebuilding.kafka.consumer({ group: GROUP, topics: [TOPICS.state], from: 'earliest' });
    await consumer.start({ onRecords: () => undefined });
    const last = rebuilding.kafka.records(TOPICS.state).at(-1) as IncomingRecord;
    const offset = String(Number(last.offset) + 1);
    await consumer.commit([{ topic: TOPICS.state, partition: last.partition, offset }]);
    await consumer.stop();
    return { partition: `${TOPICS.state}/${last.partition}`, offset };
  };

  it('fills an empty Redis from the topic, with separate counts for each vendor', async () => {
    await rebuilding.publish(...sampleOrders(48).map(stateRecord));
    rebuilding.rebuilder().start();
    await rebuilding.finished();
    expect(await rebuilding.counters.kpis(null)).toEqual({
      new: 6,
      revision: 6,
      pending: 6,
      confirmed: 6,
      production: 6,
      shipped: 6,
      delivered: 6,
      cancelled: 6,
    } satisfies Kpis);
    expect(await rebuilding.counters.kpis('ACME')).toMatchObject({ new: 2, cancelled: 2 });
    expect(JSON.parse((await rebuilding.counters.recentActivity('BOLT')) ?? '')).toHaveLength(16);
    expect(await store.redis.exists(rebuilding.keys.lock, rebuilding.keys.building)).toBe(0);
  });

  it('runs its first check as soon as its new connection is ready', async () => {
    const redis = connectRedis();
    rebuilding
      .rebuilder(rebuilding.kafka, { redis, counters: new Counters(redis, rebuilding.keys), everyMs: 60_000 })
      .start();
    expect(await rebuilding.finished().finally(() => redis.disconnect())).toMatch(/^\d+$/);
  });

  it('counts orders whose newest version is on the topic twice and compacted during the rebuild', async () => {
    const states = sampleOrders(3).map(stateRecord);
    await rebuilding.publish(...states, ...states);
    let readers = 0;
    const compacting: KafkaPort = Object.assign(Object.create(rebuilding.kafka) as KafkaPort, {
      consumer: (options: ConsumerOptions): ConsumerPort => {
        const consumer = rebuilding.kafka.consumer(options);
        if ((readers += 1) === 1) return consumer;
        return {
          ...consumer,
          start: (handlers) =>
            consumer.start({
              ...handlers,
              onRecords: (records, read) => handlers.onRecords(lastOfEachKey(records), read),
            }),
        };
      },
    });
    await rebuilding.rebuilder(compacting).rebuild();
    expect(await rebuilding.total()).toBe(3);
  });

  it('shows only status changes of the newest version, as after a restore of PostgreSQL', async () => {
    const [order, other] = [new SampleOrder('PO-1', 'ACME'), new SampleOrder('PO-2', 'ACME')];
    const [before, kept] = [order.moveTo(200), other.moveTo(200)];
    const lost = Array.from({ length: 20 }, () => order.moveTo(300));
    const restored = { ...before, poVersion: 1_000 };
    await rebuilding.publish(...[before, kept, ...lost, before, restored].map(stateRecord));
    rebuilding.rebuilder().start();
    await rebuilding.finished();
    const feed = JSON.parse((await rebuilding.counters.recentActivity(null)) ?? '') as { id: string }[];
    expect(feed.map(({ id }) => id)).toEqual([kept, before].map(({ recentActivity: [newest] }) => newest?.id));
    expect(await rebuilding.counters.kpis(null)).toMatchObject({ pending: 2, confirmed: 0 });
  });

  it('skips records that the consumer would dead-letter', async () => {
    const good = stateRecord(sampleOrders(1)[0] as SampleState);
    await rebuilding.publish(
      { ...good, value: null },
      { ...good, value: '{' },
      { ...good, value: '{"poRef":"PO-0"}' },
      { ...good, value: Buffer.from([0x22, 0xff, 0x22]) },
      { ...good, key: 'PO-OTHER' },
      { ...good, headers: {} },
      { ...good, headers: { [HEADERS.cloudEventType]: 'other.v1' } },
      good,
    );
    rebuilding.rebuilder().start();
    await rebuilding.finished();
    expect(await rebuilding.total()).toBe(1);
  });

  it('rebuilds after Redis was flushed', async () => {
    await rebuilding.publish(...sampleOrders(10).map(stateRecord));
    rebuilding.rebuilder().start();
    const before = await rebuilding.finished();
    await store.flush();
    await eventually(
      'the next generation is finished',
      async () => ((await rebuilding.generation()) ?? before) !== before,
    );
    expect(await rebuilding.total()).toBe(10);
  });

  it('rebuilds once if Redis has less than the group has committed', async () => {
    await rebuilding.publish(...sampleOrders(10).map(stateRecord));
    const emptied = await RebuildAttempt.begin(store.redis, rebuilding.keys, 'lost', LOCK_MS);
    await emptied?.finish();
    await commitLast();
    rebuilding.rebuilder().start();
    await eventually('all orders are counted', async () => (await rebuilding.total()) === 10);
    const rebuilt = await rebuilding.generation();
    expect(rebuilt).not.toBe(emptied?.generation);
    const again = rebuilding.rebuilder();
    await again.checkOnce();
    await again.stop();
    expect(await rebuilding.generation()).toBe(rebuilt);
  });

  it('writes to another copy of the data only after it was compared with what the group has committed', async () => {
    await rebuilding.publish(...sampleOrders(10).map(stateRecord));
    const emptied = await RebuildAttempt.begin(store.redis, rebuilding.keys, 'lost', LOCK_MS);
    await emptied?.finish();
    const [redis, breaker] = [connectRedis(), new Breaker()];
    const counters = new Counters(redis, rebuilding.keys);
    let next: Position | undefined;
    const kafka = overridePort(rebuilding.kafka, {
      admin: async () => ({
        ...(await rebuilding.kafka.admin()),
        committed: async (group, topic) => {
          const order = new SampleOrder('PO-NEXT', 'ACME').moveTo(200);
          if (next) await breaker.run(() => counters.apply(next as Position, order)).catch(() => undefined);
          return (await rebuilding.kafka.admin()).committed(group, topic);
        },
      }),
    });
    try {
      await once(redis, 'ready');
      const one = rebuilding.rebuilder(kafka, { redis, breaker, counters });
      await one.checkOnce();
      next = await commitLast();
      redis.disconnect(true);
      await once(redis, 'ready');
      await one.checkOnce();
      await one.stop();
    } finally {
      redis.disconnect();
    }
    expect(await rebuilding.generation()).not.toBe(emptied?.generation);
  });

  it('skips an unreadable batch and logs how to recover its orders', async () => {
    const lines: string[] = [];
    await rebuilding.publish(...sampleOrders(8).map(stateRecord));
    const kafka = overridePort(rebuilding.kafka, {
      consumer: (options) => {
        const inner = rebuilding.kafka.consumer(options);
        const broken = (record: IncomingRecord): IncomingRecord =>
          record.offset === '0'
            ? { ...record, key: null, value: null, unreadable: 'offsets 0 to 0 cannot be read' }
            : record;
        const start: typeof inner.start = (handlers) =>
          inner.start({ ...handlers, onRecords: (records, read) => handlers.onRecords(records.map(broken), read) });
        return { ...inner, start };
      },
    });
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    rebuilding.rebuilder(kafka, { logger }).start();
    await rebuilding.finished();
    const unreadable = lines.filter((line) => line.includes('republish --all'));
    expect(await rebuilding.total()).toBe(8 - unreadable.length);
    expect(unreadable.length).toBeGreaterThan(0);
  });

  it('logs that Redis may evict counts', async () => {
    const lines: string[] = [];
    await store.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
      rebuilding.rebuilder(rebuilding.kafka, { logger }).start();
      await eventually('the error is logged', () =>
        lines.some((line) => line.includes('set maxmemory-policy to noeviction')),
      );
    } finally {
      await store.redis.config('SET', 'maxmemory-policy', 'noeviction');
    }
    expect(lines).toHaveLength(1);
  });
});
