import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import pg from 'pg';
import { pino } from 'pino';
import { eventually } from '../../../../test/support/eventually.js';
import { databaseUrl } from '../../../../test/support/stores.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { type KafkaPort, RecordTooLargeError } from '../kafka-port.js';
import {
  INSERT_OUTBOX_ENTRIES,
  OUTBOX_BY_POSITION,
  OUTBOX_DDL,
  OUTBOX_WITHOUT_ID,
  outboxJson,
  shardOf,
} from './outbox.js';
import { OutboxRelay } from './outbox-relay.js';

const logger = pino({ level: 'silent' });

describe('the outbox relay', () => {
  const name = `outbox_${randomUUID().replaceAll('-', '')}`;
  let kafka: InMemoryKafka;
  let pool: pg.Pool;
  let relays: OutboxRelay[];

  beforeEach(async () => {
    const admin = new pg.Client({ connectionString: databaseUrl() });
    await admin.connect();
    await admin.query(`CREATE SCHEMA ${name}`);
    await admin.end();
    pool = new pg.Pool({ connectionString: databaseUrl(), options: `-c search_path=${name}` });
    await pool.query(OUTBOX_DDL);
    for (const later of [OUTBOX_BY_POSITION, OUTBOX_WITHOUT_ID]) await pool.query(later);
    kafka = new InMemoryKafka();
    relays = [];
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await pool.query(`DROP SCHEMA ${name} CASCADE`);
    await pool.end();
  });

  const start = (
    options: { kafka?: KafkaPort; restate?: (keys: string[]) => Promise<void>; instanceId?: string } = {},
  ) => {
    const relay = new OutboxRelay({ pool: () => pool, kafka, logger, instanceId: randomUUID(), ...options });
    relays.push(relay);
    relay.start();
    return relay;
  };
  const write = (key: string, version: number, client: pg.Pool | pg.PoolClient = pool) =>
    client.query(INSERT_OUTBOX_ENTRIES, [
      outboxJson([
        {
          key,
          version,
          traceparent: 't',
          messages: [{ topic: TOPICS.state, headers: { v: String(version) }, value: JSON.stringify({ key, version }) }],
        },
      ]),
    ]);
  const published = (key: string) =>
    kafka
      .records(TOPICS.state)
      .filter((record) => String(record.key) === key)
      .map(({ headers }) => Number(headers.v));
  const pending = async () => Number((await pool.query<{ n: string }>('SELECT count(*) AS n FROM outbox')).rows[0]?.n);
  const empty = () => eventually('the outbox is empty', async () => (await pending()) === 0);

  it('publishes what was committed, in order per key, with its trace, and empties the table', async () => {
    const relay = start();
    for (let version = 1; version <= 30; version += 1) for (const key of ['A', 'B', 'C']) await write(key, version);
    relay.wake();
    await empty();
    for (const key of ['A', 'B', 'C'])
      expect(published(key)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(kafka.records(TOPICS.state)[0]?.headers).toMatchObject({ traceparent: 't' });
  });

  it('publishes what a pod of the version before wrote, which gives each entry an id', async () => {
    await pool.query(
      'INSERT INTO outbox (id, shard, key, version, messages, traceparent) VALUES ($1, $2, $3, $4, $5, $6)',
      [
        randomUUID(),
        shardOf('A'),
        'A',
        7,
        JSON.stringify([{ topic: TOPICS.state, headers: { v: '7' }, value: '{}' }]),
        't',
      ],
    );
    start();
    await empty();
    expect(published('A')).toEqual([7]);
  });

  it('publishes nothing of a transaction that rolled back', async () => {
    start();
    const client = await pool.connect();
    await client.query('BEGIN');
    await write('A', 1, client);
    await client.query('ROLLBACK');
    client.release();
    await write('B', 1);
    await empty();
    expect(published('A')).toEqual([]);
    expect(published('B')).toEqual([1]);
  });

  it('does not pass over an entry whose transaction commits after a later one', async () => {
    start();
    const client = await pool.connect();
    await client.query('BEGIN');
    await write('A', 1, client);
    await write('B', 1);
    await eventually('the later one is published', () => published('B').length === 1);
    await client.query('COMMIT');
    client.release();
    await empty();
    expect(published('A')).toEqual([1]);
  });

  it('keeps the order per key, and loses nothing, when the broker refuses or loses the answer', async () => {
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    kafka = new InMemoryKafka(undefined, { random, rejected: 0.3, storedButRejected: 0.3 });
    start();
    for (let version = 1; version <= 20; version += 1) await write('A', version);
    await eventually('the outbox is empty', async () => (await pending()) === 0, { timeoutMs: 30_000 });
    const versions = published('A');
    expect(new Set(versions).size).toBe(20);
    expect(versions.at(-1)).toBe(20);
    // Duplicates come as whole runs again; what must never happen is a first sight out of order.
    const firstSights = versions.filter((version, index) => versions.indexOf(version) === index);
    expect(firstSights).toEqual(firstSights.toSorted((a, b) => a - b));
  }, 40_000);

  it('lets one of two relays publish a shard, and the other take over when it stops', async () => {
    const first = start();
    await write('A', 1);
    await empty();
    start();
    await first.stop();
    relays.shift();
    await write('A', 2);
    await empty();
    expect(published('A')).toEqual([1, 2]);
  });

  it('restates the orders of a batch during which it lost its lease', async () => {
    const restated: string[][] = [];
    const stalled = Promise.withResolvers<void>();
    const producing = Promise.withResolvers<void>();
    const slow: KafkaPort = {
      ...portOf(kafka),
      producer: () => ({
        ...kafka.producer(),
        send: async (records) => {
          producing.resolve();
          await stalled.promise;
          return kafka.producer().send(records);
        },
      }),
    };
    start({ kafka: slow, instanceId: 'stalled', restate: (keys) => Promise.resolve(void restated.push(keys)) });
    await write('A', 1);
    await producing.promise;
    await pool.query(
      `UPDATE outbox_leases SET owner = 'other', fence = fence + 1, expires_at = now() + interval '1 hour'`,
    );
    stalled.resolve();
    await eventually('the order is restated', () => restated.length === 1);
    expect(restated).toEqual([['A']]);
    expect(await pending()).toBe(1);
  });

  it('parks an order that the broker will not take, alone and in order, and publishes the others', async () => {
    const picky: KafkaPort = {
      ...portOf(kafka),
      producer: () => ({
        ...kafka.producer(),
        send: (records) =>
          records.some(({ key }) => key === 'HUGE')
            ? Promise.reject(new RecordTooLargeError())
            : kafka.producer().send(records),
      }),
    };
    await write('HUGE', 1);
    await write('HUGE', 2);
    await write('A', 1);
    start({ kafka: picky });
    await eventually('the other order is published', () => published('A').length === 1);
    await eventually('only the parked order is left', async () => (await pending()) === 2);
    const { rows } = await pool.query<{ version: number; parked_reason: string | null }>(
      'SELECT version, parked_reason FROM outbox ORDER BY position',
    );
    expect(rows).toEqual([
      { version: 1, parked_reason: expect.stringContaining('too large') },
      { version: 2, parked_reason: null },
    ]);
  });

  it('spreads keys over all shards, always the same way', () => {
    const shards = Array.from({ length: 1000 }, (_, index) => shardOf(`PO-${index}`));
    expect(new Set(shards).size).toBe(16);
    expect(shardOf('PO-1')).toBe(shardOf('PO-1'));
  });
});

function portOf(kafka: InMemoryKafka): KafkaPort {
  return {
    producer: () => kafka.producer(),
    consumer: (options) => kafka.consumer(options),
    admin: () => kafka.admin(),
  };
}
