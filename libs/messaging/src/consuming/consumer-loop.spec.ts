import { afterEach, describe, expect, it } from '@jest/globals';
import { GROUPS, TOPICS, TOPIC_MANIFEST } from '@po/contracts';
import { metricsRegistry } from '@po/platform';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { overridePort } from '@po/testing/override-port';
import { ConsumerLoop, type ConsumerLoopOptions } from './consumer-loop.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { ConsumerHandlers, ConsumerPort, KafkaPort } from '../kafka-port.js';
import { consumers } from '../metrics.js';

const logger = pino({ level: 'silent' });
const UP = `kafka_consumer_up{group="${GROUPS.notificationsEvents}"}`;

describe('a consumer loop', () => {
  const loops: ConsumerLoop[] = [];
  afterEach(() => Promise.all(loops.splice(0).map((loop) => loop.drain(1_000))));

  const start = (
    kafka: KafkaPort,
    handle: ConsumerLoopOptions['handle'] = () => Promise.resolve(true),
    queueKeyOf: ConsumerLoopOptions['queueKeyOf'] = () => null,
  ) => {
    const loop = new ConsumerLoop({
      kafka,
      logger,
      handle,
      queueKeyOf,
      concurrency: 2,
      consumer: { group: GROUPS.notificationsEvents, topics: [TOPICS.users], from: 'earliest' },
    });
    loops.push(loop);
    loop.start();
    return loop;
  };
  const withConsumer = (kafka: InMemoryKafka, changes: Partial<ConsumerPort>): KafkaPort =>
    overridePort(kafka, { consumer: (options) => ({ ...kafka.consumer(options), ...changes }) });
  /** A Kafka whose consumers stopped fetching long ago. */
  const hung = (kafka: InMemoryKafka) => withConsumer(kafka, { lastFetchAt: () => 0, lastAttemptAt: () => 0 });

  it('fails its liveness check when it does not even try to fetch', async () => {
    const loop = start(hung(new InMemoryKafka()));
    expect(loop.alive).toBe(true);
    expect(await eventually('it is not alive', () => loop.alive !== true && loop.alive)).toMatch(/no attempt to fetch/);
  });

  it('stays alive while every fetch fails', async () => {
    const loop = start(withConsumer(new InMemoryKafka(), { lastFetchAt: () => 0 }));
    await eventually('it has joined', () => loop.ready === true);
    expect(loop.alive).toBe(true);
  });

  it('reports that it has not joined its group while Kafka is unavailable, and joins later', async () => {
    const kafka = new InMemoryKafka();
    kafka.down = true;
    const loop = start(kafka);
    expect(loop.ready).toMatch(/has not joined group/);
    kafka.down = false;
    expect(await eventually('it has joined', () => loop.ready === true)).toBe(true);
  });

  it('reports kafka_consumer_up 1 only while it is in its group and fetches', async () => {
    const up = async (label: string, value: string) =>
      eventually(label, async () => (await metricsRegistry.metrics()).includes(`${UP} ${value}\n`));
    const kafka = new InMemoryKafka();
    kafka.down = true;
    const loop = start(kafka);
    expect(await up('it is not in its group', '0')).toBe(true);
    kafka.down = false;
    expect(await up('it has joined', '1')).toBe(true);
    await loop.drain(1_000);
    expect(await metricsRegistry.metrics()).not.toContain(UP);
    start(hung(kafka));
    expect(await up('it fetches nothing', '0')).toBe(true);
  });

  it.each([0, 2])(
    'finishes and commits its records before it leaves, even after %i failed commits',
    async (failures) => {
      const inner = new InMemoryKafka();
      let commits = 0;
      const kafka = overridePort(inner, {
        consumer: (options) => {
          const port = inner.consumer(options);
          const moving = () => Promise.reject(new Error('the coordinator moves'));
          return { ...port, commit: (offsets) => (++commits > failures ? port.commit(offsets) : moving()) };
        },
      });
      const release = Promise.withResolvers<boolean>();
      let handled = 0;
      const loop = start(kafka, () => {
        handled += 1;
        return release.promise;
      });
      await inner.producer().send([{ topic: TOPICS.users, key: 'a', value: '1', headers: {}, partition: 0 }]);
      await eventually('it is being handled', () => handled === 1);
      const drained = loop.drain(5_000);
      release.resolve(true);
      await drained;
      const admin = await kafka.admin();
      expect((await admin.committed(GROUPS.notificationsEvents, TOPICS.users))[0]).toEqual({
        partition: 0,
        offset: '1',
      });
    },
  );

  it('commits shortly after records are handled, and reports its lag', async () => {
    const kafka = new InMemoryKafka();
    const gates = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    let handled = 0;
    const loop = start(kafka, () => (gates[handled++] as PromiseWithResolvers<boolean>).promise);
    await eventually('it has joined', () => loop.ready === true);
    const lag = async () =>
      Number(
        /^kafka_consumer_lag_records\{topic="users\.directory\.v1",\S+ (\d+)$/m.exec(
          await metricsRegistry.metrics(),
        )?.[1],
      );
    expect(await lag()).toBe(0);
    const record = { topic: TOPICS.users, key: 'a', value: '1', headers: {}, partition: 0 };
    await kafka.producer().send([record, record]);
    await eventually('both are being handled', () => handled === 2);
    expect(await lag()).toBe(2);
    const handlerSeconds = /^kafka_consumer_handler_seconds\{topic="users\.directory\.v1",\S+ (?!0$)[\d.]+$/m;
    await eventually('the time of the handlers shows', async () =>
      handlerSeconds.test(await metricsRegistry.metrics()),
    );
    gates[0]?.resolve(true);
    const admin = await kafka.admin();
    const committed = async () => (await admin.committed(GROUPS.notificationsEvents, TOPICS.users))[0]?.offset;
    await eventually('the first is committed', async () => (await committed()) === '1');
    expect(await lag()).toBe(1);
    gates[1]?.resolve(true);
    await eventually('the second is committed', async () => (await committed()) === '2');
    expect(await lag()).toBe(0);
    await loop.drain(1_000);
    expect(consumers.size).toBe(0);
  });

  it('counts unfetched records as lag, and reports the stalled partition', async () => {
    const inner = new InMemoryKafka();
    // As with an unreadable batch: the end advances, the position does not.
    const unreadable = { position: 0n, end: { offset: 3n, highWatermark: 3n, at: Date.now() } };
    const kafka = overridePort(inner, {
      consumer: (options) => ({ ...inner.consumer(options), progress: () => unreadable }),
    });
    const loop = start(kafka);
    await eventually('it has joined', () => loop.ready === true);
    const partitions = TOPIC_MANIFEST.find(({ topic }) => topic === TOPICS.users)?.partitions ?? 0;
    const labels = `topic="${TOPICS.users}",group="${GROUPS.notificationsEvents}"`;
    const metrics = await metricsRegistry.metrics();
    expect(metrics).toContain(`kafka_consumer_lag_records{${labels}} ${3 * partitions}\n`);
    expect(metrics).toContain(`kafka_consumer_stalled_seconds{${labels},partition="0"} 0\n`);
    await eventually('time passes', async () => {
      const stalled = /^kafka_consumer_stalled_seconds\{.*partition="0"\} (\S+)$/m;
      return Number(stalled.exec(await metricsRegistry.metrics())?.[1]) > 0.05;
    });
  });

  it('restarts after an unexpected error in the middle of a batch, and skips no record', async () => {
    const kafka = new InMemoryKafka();
    const handled: string[] = [];
    const handle: ConsumerLoopOptions['handle'] = ({ value }) => Promise.resolve(handled.push(String(value)) > 0);
    let errors = 0;
    const queueKeyOf: ConsumerLoopOptions['queueKeyOf'] = ({ value }) => {
      if (String(value) === '2' && errors++ === 0) throw new Error('unexpected');
      return 'one key';
    };
    start(kafka, handle, queueKeyOf);
    const records = ['1', '2', '3'].map((value) => ({
      topic: TOPICS.users,
      key: 'a',
      value,
      headers: {},
      partition: 0,
    }));
    await kafka.producer().send(records);
    await eventually('the last is handled', () => handled.includes('3'));
    expect([...new Set(handled)]).toEqual(['1', '2', '3']);
    expect(errors).toBe(2);
    const admin = await kafka.admin();
    await eventually('all are committed', async () => {
      const [committed] = await admin.committed(GROUPS.notificationsEvents, TOPICS.users);
      return committed?.offset === '3';
    });
  });

  it('stops work on lost partitions, commits no offset of them, and is not up until the next assignment', async () => {
    const inner = new InMemoryKafka();
    let handlers: ConsumerHandlers | undefined;
    const kafka = overridePort(inner, {
      consumer: (options) => {
        const port = inner.consumer(options);
        return { ...port, start: (given) => port.start((handlers = given)) };
      },
    });
    const handled: string[] = [];
    const release = Promise.withResolvers<void>();
    let isStopped: (() => boolean) | undefined;
    const handle: ConsumerLoopOptions['handle'] = async ({ value }, stopped) => {
      isStopped = stopped;
      handled.push(String(value));
      await release.promise;
      return true;
    };
    start(kafka, handle, () => 'one key');
    const record = { topic: TOPICS.users, key: 'a', headers: {}, partition: 0 };
    await inner.producer().send(['1', '2'].map((value) => ({ ...record, value })));
    await eventually('the first is being handled', () => handled.length === 1);
    expect(isStopped?.()).toBe(false);
    handlers?.onPartitionsLost?.();
    expect(isStopped?.()).toBe(true);
    expect(await metricsRegistry.metrics()).toContain(`${UP} 0`);
    release.resolve();
    handlers?.onAssigned?.([{ topic: TOPICS.users, partition: 0 }]);
    expect(await metricsRegistry.metrics()).toContain(`${UP} 1`);
    await inner.producer().send([{ ...record, value: '3' }]);
    await eventually('a later record is handled', () => handled.includes('3'));
    expect(handled).toEqual(['1', '3']);
  });

  it('handles its records of a deleted topic and all records of the recreated topic', async () => {
    const kafka = new InMemoryKafka();
    const handled: string[] = [];
    const release = Promise.withResolvers<void>();
    const handle: ConsumerLoopOptions['handle'] = async ({ value }) => {
      handled.push(String(value));
      if (handled.length === 1) await release.promise;
      return true;
    };
    start(kafka, handle, () => 'one key');
    const send = (...values: string[]) =>
      kafka
        .producer()
        .send(values.map((value) => ({ topic: TOPICS.users, key: 'a', headers: {}, partition: 0, value })));
    await send('1', '2', '3');
    await eventually('the first is being handled', () => handled.length === 1);
    kafka.recreateTopic(TOPICS.users);
    await send('a', 'b');
    release.resolve();
    await eventually('all are handled', () => handled.length === 5);
    expect(handled).toEqual(['1', '2', '3', 'a', 'b']);
    const admin = await kafka.admin();
    await eventually('the end of the new one is committed', async () => {
      const [committed] = await admin.committed(GROUPS.notificationsEvents, TOPICS.users);
      return committed?.offset === '2';
    });
  });

  it('leaves the group when it is stopped while it joins', async () => {
    const kafka = new InMemoryKafka();
    const leaving = start(kafka);
    await leaving.drain(1_000);
    let handled = 0;
    start(kafka, () => Promise.resolve(++handled > 0));
    await kafka.producer().send(
      Array.from({ length: 6 }, (_, partition) => ({
        topic: TOPICS.users,
        key: null,
        value: '',
        headers: {},
        partition,
      })),
    );
    await eventually('the other consumer has all partitions', () => handled === 6);
  });
});
