import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TOPICS } from '@po/contracts';
import { keysUnder } from '@po/dashboard/dist/projection/keys.js';
import { connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { StackFile } from '#local/stack/stack-file.js';
import { type Rate, type Write, effectsOf, writeAtRate } from '../load/loops.js';
import type { Requests } from '../load/requests.js';

/** Interval between two polls of PostgreSQL or Redis; it adds half its length to a latency on average. */
const POLL_MS = 5;
const DRAIN_MS = 10_000;

type Transition = Write<{ historyId: string; version: number }>;
/** Time at which a transition was first seen (`performance.now()`), by history id or `<po number>@<version>`. */
type Seen = Map<string, number>;
type Stop = () => Promise<unknown>;

/**
 * Makes transitions at a constant rate and measures the time from each 2xx until its record is on the topic, its notification in the
 * inbox and its order counted by the dashboard. Negative if the effect was visible before the answer arrived.
 */
export async function measureEvents(file: StackFile, rate: Rate, requests: Requests) {
  const [topic, inbox, dashboard]: [Seen, Seen, Seen] = [new Map(), new Map(), new Map()];
  const written = new Set<string>();
  const stops = [
    await watchTopic(file.kafkaBrokers, topic),
    await watchInbox(file.databaseUrls.notifications, inbox),
    await watchDashboard(file.redisUrl, written, dashboard),
  ];
  const { writes, errors } = await writeAtRate<Transition['body']>(file.gatewayUrl, rate, (lane) => {
    const request = requests(lane);
    written.add(request.poNumber ?? '');
    return request;
  });
  const places: Record<string, (write: Transition) => number | undefined> = {
    'po.transitions.v1': ({ body }) => topic.get(body.historyId),
    inbox: ({ body }) => inbox.get(body.historyId),
    dashboard: ({ poNumber, body }) => dashboard.get(`${poNumber}@${body.version}`),
  };
  const isSeen = (write: Transition) => Object.values(places).every((seenAt) => seenAt(write) !== undefined);
  // Effects that do not appear in time count as missing.
  await eventually('all are seen', () => writes.every(isSeen), { timeoutMs: DRAIN_MS }).catch(() => undefined);
  for (const stop of stops) await stop();
  const rows = Object.entries(places).map(([name, seenAt]) => ({
    what: `2xx -> ${name}`,
    ...effectsOf(writes, (write) => [seenAt(write)]),
  }));
  return { errors, rows };
}

async function watchTopic(brokers: string, seen: Seen): Promise<Stop> {
  const kafka = connectKafka({ KAFKA_BROKERS: brokers.split(',') }, 'bench-events', createLogger('bench', 'warn'));
  const consumer = kafka.consumer({ group: `bench-${randomUUID()}`, topics: [TOPICS.transitions], from: 'latest' });
  let assigned = false;
  await consumer.start({
    onRecords: (records) => {
      const at = performance.now();
      for (const { headers } of records) if (headers.ce_id && !seen.has(headers.ce_id)) seen.set(headers.ce_id, at);
    },
    onAssigned: () => (assigned = true),
  });
  const startedAt = Date.now();
  // The first fetch resolves "latest": records sent before it would be missed.
  await eventually('the consumer fetches', () => assigned && consumer.lastFetchAt() > startedAt);
  return () => consumer.stop();
}

async function watchInbox(connectionString: string, seen: Seen): Promise<Stop> {
  const client = new pg.Client({ connectionString });
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

/** Polls the written orders whose new version has not appeared yet. */
async function watchDashboard(url: string, written: Set<string>, seen: Seen): Promise<Stop> {
  const redis = new Redis(url);
  const { prefix, current } = keysUnder();
  const orders = `${prefix}:${await redis.get(current)}:orders`;
  const known = new Map(Object.entries(await redis.hgetall(orders)));
  const stop = poll(async () => {
    const numbers = [...written];
    const stored = numbers.length === 0 ? [] : await redis.hmget(orders, ...numbers);
    const at = performance.now();
    for (const [index, number] of numbers.entries()) {
      const counted = stored[index] ?? '';
      if (counted === (known.get(number) ?? '')) continue;
      known.set(number, counted);
      seen.set(`${number}@${Number.parseInt(counted, 10)}`, at);
      written.delete(number);
    }
  });
  return () => stop().then(() => redis.disconnect());
}

/** Polls until the returned function is called; that call rejects with the error of a failed poll. */
function poll(once: () => Promise<void>): Stop {
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
