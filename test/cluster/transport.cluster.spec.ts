import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type IncomingRecord, readTopic } from '@po/messaging';
import { pino } from 'pino';
import { ConsumerLoop } from '../../libs/messaging/src/consuming/consumer-loop.js';
import { newTopic as makeTopic } from '../../libs/messaging/src/fixtures/new-topic.js';
import { Publisher } from '../../libs/messaging/src/publishing/publisher.js';
import { whileFrozen } from '../faults/scenarios/outages.js';
import { eventually } from '@po/testing/eventually';
import { type Brokers, moveReplicas, startBrokers } from './brokers.js';

const all = process.env.CLUSTER_ALL === '1';
const PARTITIONS = 12;
/** Minimum number of records to send during a disturbance. */
const MIN_SENT = 3_000;
/** Minimum backlog of the consumer, in records. */
const MIN_BACKLOG = 200;
/** Rounds of sends while a broker hangs. */
const ROUNDS = 8;
const ROUND_MS = 500;
const ROLLING_MS = 240_000;

const logger = pino({ level: 'silent' });
const idOf = ({ value }: IncomingRecord): string => value?.toString() ?? '';

describe('the transport on four brokers', () => {
  let brokers: Brokers;
  beforeAll(async () => {
    brokers = await startBrokers({ count: 4 });
  });
  afterAll(() => brokers?.stop());

  const newTopic = (replication = 3) => {
    const minInsync = Math.max(1, replication - 1);
    return makeTopic(brokers.kafka, { partitions: PARTITIONS, retention: 3_600_000, replication, minInsync });
  };
  const restartAll = async () => {
    for (const id of [1, 2, 3, 4]) await brokers.restart(id);
  };
  const moveAll = async (topic: string) => {
    for (const replicas of [
      [2, 3, 4],
      [1, 3, 4],
      [1, 2, 4],
      [1, 2, 3],
    ]) {
      await moveReplicas(brokers, [topic], replicas);
    }
  };

  /** Sends to every partition during the work. Retries each batch until it is acknowledged, then adds its ids to `acknowledged`. */
  const sendWhile = async (topic: string, acknowledged: string[], work: () => Promise<void>) => {
    let over = false;
    const run = async () => {
      const producer = brokers.kafka.producer({ acks: 'all', idempotent: true });
      let connected = false;
      for (let round = 0; !over; round += 1) {
        const ids = Array.from({ length: 2 * PARTITIONS }, (_, index) => `${round}-${index}`);
        const records = ids.map((id, index) => ({
          topic,
          partition: index % PARTITIONS,
          key: null,
          value: id,
          headers: {},
        }));
        for (let sent = false; !sent && !over;) {
          try {
            if (!connected) await producer.connect();
            connected = true;
            await producer.send(records);
            sent = true;
            acknowledged.push(...ids);
          } catch {
            connected = false;
            await delay(50);
          }
        }
        await delay(15);
      }
      await producer.disconnect();
    };
    const running = run();
    await work().finally(() => (over = true));
    await running;
  };

  // The short selection leaves out the longest tests.
  if (all) {
    it('stores every acknowledged record, even if leaders move during the send', async () => {
      const topic = await newTopic();
      const acknowledged: string[] = [];
      await sendWhile(topic, acknowledged, async () => {
        do await restartAll();
        while (acknowledged.length < MIN_SENT);
      });
      const stored = new Set<string>();
      await readTopic(brokers.kafka, topic, (record) => void stored.add(idOf(record)));
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    });

    // Freezes each broker in turn, because one of them coordinates the group.
    it('reads and writes the partitions of other brokers while one hangs, and its partitions afterwards', async () => {
      const topic = await newTopic(1);
      const handled = new Set<string>();
      const loop = new ConsumerLoop({
        kafka: brokers.kafka,
        logger,
        concurrency: 4,
        queueKeyOf: () => null,
        consumer: { group: `cluster-${randomUUID()}`, topics: [topic], from: 'earliest' },
        handle: (record) => Promise.resolve(Boolean(handled.add(idOf(record)))),
      });
      loop.start();
      const publisher = new Publisher(brokers.kafka, { acks: 'leader', logger });
      const send = (id: string, partition: number) =>
        publisher.send({ topic, partition, key: null, value: id, headers: {} });
      const sendWithRetry = (id: string, partition: number) =>
        eventually(`${id} is sent`, () => send(id, partition).then(() => true));
      const leaders = await brokers.kafka.leaders(topic);
      await Promise.all(leaders.map((_, partition) => send(`before-${partition}`, partition)));
      await eventually('all records are read', () => handled.size === PARTITIONS);
      for (const hanging of [1, 2, 3, 4]) {
        const others = [...leaders.keys()].filter((partition) => leaders[partition] !== hanging);
        const own = [...leaders.keys()].filter((partition) => leaders[partition] === hanging);
        const late = await whileFrozen(brokers.broker(hanging).pid, async () => {
          const sends = own.map((partition) => send(`${hanging}-${partition}`, partition).catch(() => undefined));
          // Longer than members take to detect a dead coordinator.
          for (let round = 0; round < ROUNDS; round += 1) {
            const id = (partition: number) => `${hanging}-${partition}-${round}`;
            // Retried, because the frozen broker may be the controller: the others lead nothing until they elect a new controller.
            await Promise.all(others.map((partition) => sendWithRetry(id(partition), partition)));
            await eventually('records of the other brokers are read', () =>
              others.every((each) => handled.has(id(each))),
            );
            await delay(ROUND_MS);
          }
          return sends;
        });
        await Promise.all(late);
        await Promise.all(own.map((partition) => sendWithRetry(`${hanging}-${partition}-after`, partition)));
        const read = () => own.every((each) => handled.has(`${hanging}-${each}-after`));
        await eventually('records of the frozen broker are read', read);
      }
      await publisher.close();
      await loop.drain(5_000);
    });

    it('an idempotent producer stores each record once, and sends to other brokers without waiting for two that hang', async () => {
      const topic = await newTopic(1);
      const producer = brokers.kafka.producer({ acks: 'all', idempotent: true });
      await producer.connect();
      const leaders = await brokers.kafka.leaders(topic);
      const one = leaders[0] as number;
      const another = leaders.find((leader) => leader !== one) as number;
      const own = [...leaders.keys()].filter((partition) => [one, another].includes(leaders[partition] as number));
      const others = [...leaders.keys()].filter((partition) => !own.includes(partition));
      const send = (round: number, partitions: readonly number[]) =>
        producer.sendEach(
          partitions.map((partition) => ({
            topic,
            partition,
            key: null,
            value: `${round}-${partition}`,
            headers: {},
          })),
        );
      await Promise.all(send(0, [...leaders.keys()]));
      const late = await whileFrozen(brokers.broker(one).pid, () =>
        whileFrozen(brokers.broker(another).pid, async () => {
          const waiting = Promise.allSettled(send(1, own));
          // Longer than the request timeout, so the producer resends the records to the frozen brokers.
          for (let round = 1; round <= 2 * ROUNDS; round += 1) {
            await Promise.all(send(round, others));
            await delay(ROUND_MS);
          }
          return { waiting };
        }),
      );
      expect((await late.waiting).filter(({ status }) => status === 'rejected')).toEqual([]);
      await Promise.all(send(2, own));
      await producer.disconnect();
      const stored: string[] = [];
      await readTopic(brokers.kafka, topic, (record) => void stored.push(idOf(record)));
      const rounds = (partition: number) => (own.includes(partition) ? 2 : 2 * ROUNDS);
      const expected = [...leaders.keys()].flatMap((partition) =>
        Array.from({ length: rounds(partition) + 1 }, (_, round) => `${round}-${partition}`),
      );
      expect(stored.toSorted()).toEqual(expected.toSorted());
    });
  }

  it('a consumer reads all records of a partition whose broker returns without its log', async () => {
    const topic = await newTopic(1);
    const handled: string[] = [];
    const loop = new ConsumerLoop({
      kafka: brokers.kafka,
      logger,
      concurrency: 4,
      queueKeyOf: ({ partition }) => String(partition),
      consumer: { group: `cluster-${randomUUID()}`, topics: [topic], from: 'earliest' },
      handle: (record) => Promise.resolve(handled.push(idOf(record)) > 0),
    });
    loop.start();
    const send = async (prefix: string, count: number) => {
      const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
      const records = ids.map((value) => ({ topic, partition: 0, key: null, value, headers: {} }));
      const producer = brokers.kafka.producer({ acks: 'all' });
      const sent = () => producer.connect().then(() => producer.send(records));
      await eventually(`${prefix} is sent`, () => sent().then(() => true), { timeoutMs: 120_000 });
      await producer.disconnect();
      return ids;
    };
    const before = await send('before', 100);
    await eventually('all records are read', () => new Set(handled).size === before.length);
    const [leader = 0] = await brokers.kafka.leaders(topic);
    await brokers.broker(leader).suspend('SIGTERM');
    await rm(brokers.folderOf(leader, topic, 0), { recursive: true });
    brokers.broker(leader).resume();
    // More records than before, so the old offset of the consumer is valid in the new log too.
    const after = await send('after', 300);
    await eventually('the last record is read', () => handled.includes('after-299'));
    await loop.drain(5_000);
    // At least once: unacknowledged sends are repeated, and uncommitted records are read again.
    expect([...new Set(handled)]).toEqual([...before, ...after]);
  });

  it.each([
    ['replicas are moved from broker to broker', moveAll],
    ...(all ? [['brokers are restarted one after another', restartAll] as const] : []),
  ])(
    'a consumer with queued records skips none while %s',
    async (_what, disturb) => {
      const topic = await newTopic();
      const acknowledged: string[] = [];
      const handled = new Set<string>();
      const backlog = () => acknowledged.length - handled.size;
      let over = false;
      const loop = new ConsumerLoop({
        kafka: brokers.kafka,
        logger,
        concurrency: 4,
        consumer: { group: `cluster-${randomUUID()}`, topics: [topic], from: 'earliest' },
        queueKeyOf: ({ partition }) => String(partition),
        handle: async (record) => {
          // Always slower than the sender, to keep a backlog.
          do await delay(8);
          while (backlog() < MIN_BACKLOG && !over);
          handled.add(idOf(record));
          return true;
        },
      });
      loop.start();
      await sendWhile(topic, acknowledged, async () => {
        await eventually('records are queued', () => backlog() > MIN_BACKLOG);
        do await disturb(topic);
        while (acknowledged.length < MIN_SENT);
      }).finally(() => (over = true));
      const missing = () => acknowledged.filter((id) => !handled.has(id));
      await eventually('every acknowledged record is handled', () => missing().length === 0, {
        timeoutMs: 90_000,
      }).catch(() => undefined);
      await loop.drain(5_000);
      expect(missing()).toEqual([]);
    },
    ROLLING_MS,
  );
});
