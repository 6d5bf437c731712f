import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TOPICS } from '@po/contracts';
import { keysUnder } from '@po/dashboard/dist/projection/keys.js';
import { type KafkaPort, connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { Redis } from 'ioredis';
import pg from 'pg';
import { eventually } from '@po/testing/eventually';
import type { LoadTarget } from './commands.js';

/** When each transition was first seen, on the clock of `performance.now()` of this process. */
export interface Sightings {
  /** By history id. */
  topic: ReadonlyMap<string, number>;
  inbox: ReadonlyMap<string, number>;
  /** By `<po number>@<version>`. */
  dashboard: ReadonlyMap<string, number>;
  /** A transition of this order is about to be sent: look at it from now on. */
  watch: (poNumber: string) => void;
  /** It was answered: what to wait for in `settled`. */
  expect: (historyId: string, poNumber: string, version: number) => void;
  /** Resolves when all that is expected was seen everywhere, or after `patienceMs`. */
  settled: (patienceMs: number) => Promise<void>;
  stop: () => Promise<void>;
}

/** Between two looks into PostgreSQL or Redis; a latency is too long by half of it on average. */
const LOOK_MS = 5;
/** The version of an order whose transition was not answered yet: above all others. */
const UNKNOWN = Infinity;

/** Watches the topic as a consumer, the inbox by SQL and the dashboard's projection in Redis. */
export async function watchEvents({ kafkaBrokers, notificationsUrl, redisUrl }: LoadTarget): Promise<Sightings> {
  const topic = new Map<string, number>();
  const inbox = new Map<string, number>();
  const dashboard = new Map<string, number>();
  const waiting = new Map<string, number>();
  const expected = new Set<string>();
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers.split(',') }, 'bench-events', createLogger('bench', 'warn'));
  const stopTopic = await watchTopic(kafka, topic);
  const stopInbox = await watchInbox(notificationsUrl, inbox);
  const stopDashboard = await watchDashboard(redisUrl, waiting, dashboard);
  const seenEverywhere = () => waiting.size === 0 && [...expected].every((id) => topic.has(id) && inbox.has(id));
  return {
    ...{ topic, inbox, dashboard },
    watch: (poNumber) => waiting.set(poNumber, UNKNOWN),
    expect: (historyId, poNumber, version) => {
      expected.add(historyId);
      waiting.set(poNumber, version);
    },
    settled: (timeoutMs) =>
      eventually('every transition is seen everywhere', seenEverywhere, { timeoutMs }).then(
        () => undefined,
        () => undefined,
      ),
    stop: async () => {
      await Promise.all([stopTopic(), stopInbox(), stopDashboard()]);
    },
  };
}

async function watchTopic(kafka: KafkaPort, seen: Map<string, number>): Promise<() => Promise<void>> {
  const group = `bench-events-${randomUUID()}`;
  const consumer = kafka.consumer({ group, topics: [TOPICS.transitions], from: 'latest' });
  let assigned = false;
  await consumer.start({
    onRecords: (records) => {
      const at = performance.now();
      for (const { headers } of records) if (headers.ce_id && !seen.has(headers.ce_id)) seen.set(headers.ce_id, at);
    },
    onAssigned: () => (assigned = true),
    onRebalancing: () => undefined,
  });
  const startedAt = Date.now();
  // "Latest" is where the first fetch looks: what is sent before it would be missed.
  await eventually('the consumer fetches', () => assigned && consumer.lastFetchAt() > startedAt);
  return async () => {
    await consumer.stop();
    const admin = await kafka.admin();
    await admin.deleteGroup(group).finally(() => admin.close());
  };
}

async function watchInbox(url: string, seen: Map<string, number>): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const last = await client.query<{ user_id: string; seq: number }>('SELECT user_id, last_seq AS seq FROM users');
  const sequences = new Map(last.rows.map(({ user_id, seq }) => [user_id, seq]));
  const stop = look(async () => {
    const { rows } = await client.query<{ user_id: string; seq: number; history_id: string }>({
      name: 'inbox',
      text: `SELECT n.user_id, n.seq, n.history_id FROM unnest($1::text[], $2::int[]) AS known (user_id, seq)
               JOIN notifications n ON n.user_id = known.user_id AND n.seq > known.seq`,
      values: [[...sequences.keys()], [...sequences.values()]],
    });
    const at = performance.now();
    for (const { user_id, seq, history_id } of rows) {
      sequences.set(user_id, Math.max(seq, sequences.get(user_id) ?? 0));
      if (!seen.has(history_id)) seen.set(history_id, at);
    }
  });
  return () => stop().then(() => client.end());
}

async function watchDashboard(
  url: string,
  waiting: Map<string, number>,
  seen: Map<string, number>,
): Promise<() => Promise<void>> {
  const redis = new Redis(url);
  const { prefix, current } = keysUnder();
  const generation = await redis.get(current);
  const versions = new Map<string, number>();
  const stop = look(async () => {
    if (waiting.size === 0) return;
    const numbers = [...waiting.keys()];
    const stored = await redis.hmget(`${prefix}:${generation}:orders`, ...numbers);
    const at = performance.now();
    for (const [index, number] of numbers.entries()) {
      const version = Number.parseInt(stored[index] ?? '0', 10);
      if (version > (versions.get(number) ?? 0)) {
        versions.set(number, version);
        seen.set(`${number}@${version}`, at);
      }
      if (version >= (waiting.get(number) ?? UNKNOWN)) waiting.delete(number);
    }
  });
  return () => stop().then(() => redis.disconnect());
}

/** Looks again and again; the returned function ends that and rejects with what a look failed with. */
function look(once: () => Promise<void>): () => Promise<void> {
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      await once();
      await delay(LOOK_MS);
    }
  })();
  running.catch(() => undefined);
  return () => {
    stopped = true;
    return running;
  };
}
