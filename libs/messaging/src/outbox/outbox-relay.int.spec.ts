import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { metricsRegistry } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { OutboxFixture } from '../fixtures/outbox.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { shardOf } from './outbox.js';

describe('the outbox relay', () => {
  let outbox: OutboxFixture;

  beforeEach(async () => {
    outbox = await OutboxFixture.open();
  });
  afterEach(() => outbox.close());

  it('publishes committed rows in order per key with their trace, and empties the table', async () => {
    const relay = outbox.start();
    for (let version = 1; version <= 30; version += 1)
      for (const key of ['A', 'B', 'C']) await outbox.write(key, version);
    relay.wake();
    await outbox.empty();
    for (const key of ['A', 'B', 'C'])
      expect(outbox.published(key)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(outbox.kafka.records(TOPICS.state)[0]?.headers).toMatchObject({ traceparent: 't' });
  });

  it('reports the number and age of waiting rows while Kafka is unavailable', async () => {
    outbox.kafka.down = true;
    await outbox.write('A', 1);
    await outbox.pool.query(`UPDATE outbox SET created_at = now() - interval '90 seconds'`);
    outbox.start();
    await eventually('it is seen', async () => {
      const text = await metricsRegistry.metrics();
      return /^outbox_pending_rows 1$/m.test(text) && /^outbox_oldest_age_seconds 9\d\./m.test(text);
    });
    expect(outbox.published('A')).toEqual([]);
    outbox.kafka.down = false;
    await outbox.empty();
    expect(outbox.published('A')).toEqual([1]);
  });

  it('excludes parked rows and the rows behind them from the age', async () => {
    await outbox.write('A', 1);
    await outbox.write('A', 2);
    await outbox.pool.query(`UPDATE outbox SET created_at = now() - interval '90 seconds'`);
    await outbox.pool.query(`UPDATE outbox SET parked_reason = 'too large' WHERE version = 1`);
    outbox.start();
    await eventually('it is seen', async () => {
      const text = await metricsRegistry.metrics();
      return ['pending_rows 2', 'parked_rows 1', 'oldest_age_seconds 0'].every((line) =>
        text.includes(`outbox_${line}\n`),
      );
    });
    expect(outbox.published('A')).toEqual([]);
  });

  it('publishes no row of a rolled-back transaction', async () => {
    outbox.start();
    const client = await outbox.pool.connect();
    await client.query('BEGIN');
    await outbox.write('A', 1, client);
    await client.query('ROLLBACK');
    client.release();
    await outbox.write('B', 1);
    await outbox.empty();
    expect(outbox.published('A')).toEqual([]);
    expect(outbox.published('B')).toEqual([1]);
  });

  it('does not skip a row whose transaction commits after a later one', async () => {
    outbox.start();
    const client = await outbox.pool.connect();
    await client.query('BEGIN');
    await outbox.write('A', 1, client);
    await outbox.write('B', 1);
    await eventually('the later one is published', () => outbox.published('B').length === 1);
    await client.query('COMMIT');
    client.release();
    await outbox.empty();
    expect(outbox.published('A')).toEqual([1]);
  });

  it('keeps the order per key and loses no row when the broker refuses records or an answer is lost', async () => {
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    outbox.kafka = new InMemoryKafka(undefined, { random, rejected: 0.3, storedButRejected: 0.3 });
    outbox.start();
    for (let version = 1; version <= 20; version += 1) await outbox.write('A', version);
    await outbox.empty();
    const versions = outbox.published('A');
    expect(new Set(versions).size).toBe(20);
    expect(versions.at(-1)).toBe(20);
    // Whole runs may be repeated, but the first occurrences must be in order.
    const firsts = versions.filter((version, index) => versions.indexOf(version) === index);
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  });

  it('spreads keys over all shards deterministically', () => {
    const shards = Array.from({ length: 1000 }, (_, index) => shardOf(`PO-${index}`));
    expect(new Set(shards).size).toBe(16);
    expect(shardOf('PO-1')).toBe(shardOf('PO-1'));
  });
});
