import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TOPICS } from '@po/contracts';
import { keysUnder } from '@po/dashboard/dist/projection/keys.js';
import { connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { Redis } from 'ioredis';
import pg from 'pg';
import { quantilesOf } from '../report.js';
import { type Rate, type Write, effectsOf, writeAtRate } from './loops.js';
import type { LoadTarget } from './main.js';
import type { Requests } from './requests.js';

/** Between two polls of PostgreSQL or Redis; a latency is too long by half of it on average. */
const POLL_MS = 5;
const DRAIN_MS = 10_000;
/** The version of an order whose transition was not answered yet: above all others. */
const UNKNOWN = Infinity;

type Transition = Write<{ historyId: string; version: number }>;
/** When a transition was first seen, by `performance.now()`: by history id, or `<po number>@<version>`. */
type Seen = Map<string, number>;

/**
 * Makes transitions at a constant rate and measures from each 2xx until its record is on the topic, its notification in the inbox and
 * its order counted by the dashboard; below 0 when that was before the answer arrived.
 */
export async function measureEvents(target: LoadTarget, rate: Rate, requests: Requests) {
  const [topic, inbox, dashboard]: [Seen, Seen, Seen] = [new Map(), new Map(), new Map()];
  const waiting = new Map<string, number>();
  const expected = new Set<string>();
  const stops = [
    await watchTopic(target.kafkaBrokers, topic),
    await watchInbox(target.notificationsUrl, inbox),
    await watchDashboard(target.redisUrl, waiting, dashboard),
  ];
  try {
    const { writes, errors } = await writeAtRate<Transition['body']>(new URL(target.url), rate, requests, {
      before: ({ poNumber }) => waiting.set(poNumber, UNKNOWN),
      answered: ({ poNumber, body: { historyId, version } }) => {
        expected.add(historyId);
        waiting.set(poNumber, version);
      },
    });
    const seenEverywhere = () => waiting.size === 0 && [...expected].every((id) => topic.has(id) && inbox.has(id));
    // Those that are not seen in time are counted as missing.
    await eventually('all are seen', seenEverywhere, { timeoutMs: DRAIN_MS }).catch(() => undefined);
    const byId = (seen: Seen) => effectsOf(writes, ({ body }) => [seen.get(body.historyId)]);
    const onDashboard = ({ poNumber, body }: Transition) => [dashboard.get(`${poNumber}@${body.version}`)];
    return {
      transitions: writes.length,
      errors,
      rows: [
        { what: 'due -> 2xx', ...quantilesOf(writes.map(({ dueAt, answeredAt }) => answeredAt - dueAt)) },
        { what: '2xx -> po.transitions.v1', ...byId(topic) },
        { what: '2xx -> inbox', ...byId(inbox) },
        { what: '2xx -> dashboard', ...effectsOf(writes, onDashboard) },
      ],
    };
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
}

async function watchTopic(brokers: string, seen: Seen): Promise<() => Promise<void>> {
  const kafka = connectKafka({ KAFKA_BROKERS: brokers.split(',') }, 'bench-events', createLogger('bench', 'warn'));
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
  // "Latest" is resolved by the first fetch: records that are sent before it would be missed.
  await eventually('the consumer fetches', () => assigned && consumer.lastFetchAt() > startedAt);
  return async () => {
    await consumer.stop();
    const admin = await kafka.admin();
    await admin.deleteGroup(group).finally(() => admin.close());
  };
}

async function watchInbox(url: string, seen: Seen): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const last = await client.query<{ user_id: string; seq: number }>('SELECT user_id, last_seq AS seq FROM users');
  const sequences = new Map(last.rows.map(({ user_id, seq }) => [user_id, seq]));
  const stop = poll(async () => {
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

async function watchDashboard(url: string, waiting: Map<string, number>, seen: Seen): Promise<() => Promise<void>> {
  const redis = new Redis(url);
  const { prefix, current } = keysUnder();
  const generation = await redis.get(current);
  const versions = new Map<string, number>();
  const stop = poll(async () => {
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

/** Polls until the returned function is called, which rejects with the error of a poll. */
function poll(once: () => Promise<void>): () => Promise<void> {
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      await once();
      await delay(POLL_MS);
    }
  })();
  running.catch(() => undefined);
  return () => {
    stopped = true;
    return running;
  };
}
