import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { OutboxFixture } from '../fixtures/outbox.js';
import { outboxFailures } from '../metrics.js';
import { shardOf } from './outbox.js';

describe('the leases of an outbox', () => {
  let outbox: OutboxFixture;
  let republished: string[];

  beforeEach(async () => {
    outbox = await OutboxFixture.open();
    republished = [];
  });
  afterEach(() => outbox.close());

  const republish = (key: string) => Promise.resolve(void republished.push(key));
  const noted = async () =>
    (await outbox.pool.query<{ key: string }>('SELECT key FROM outbox_restatements')).rows.map(({ key }) => key);
  const failures = async () => (await outboxFailures.get()).values[0]?.value ?? 0;

  /** Starts a relay whose first send, of an entry of order A, does not end until the returned function is called. */
  const startSending = async (options: Parameters<OutboxFixture['start']>[0]) => {
    const [producing, stalled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const kafka = outbox.sendingBy(async (records) => {
      producing.resolve();
      await stalled.promise;
      return outbox.kafka.producer().send(records);
    });
    outbox.start({ ...options, kafka });
    await outbox.write('A', 1);
    await producing.promise;
    return () => stalled.resolve();
  };

  it('allow only one of two relays to publish a shard, and the second one after the first stops', async () => {
    const first = outbox.start();
    await outbox.write('A', 1);
    await outbox.empty();
    outbox.start();
    await first.stop();
    outbox.relays.shift();
    await outbox.write('A', 2);
    await outbox.empty();
    expect(outbox.published('A')).toEqual([1, 2]);
  });

  it('are not shared by two processes with the same instance id', async () => {
    const release = await startSending({ instanceId: 'twice' });
    outbox.start({ instanceId: 'twice' });
    await outbox.write('B', 1);
    // Frees the lease until the other relay has taken it and published.
    await eventually('the other publishes a shard', async () => {
      const published = outbox.published('B').length === 1;
      const free = `UPDATE outbox_leases SET expires_at = '-infinity' WHERE shard = $1`;
      if (!published) await outbox.pool.query(free, [shardOf('B')]);
      return published;
    });
    expect(outbox.published('A')).toEqual([]);
    release();
    await outbox.empty();
    expect(outbox.published('A')).toEqual([1]);
  });

  it('are renewed during a long send', async () => {
    const release = await startSending({});
    const expiry = async () =>
      (await outbox.pool.query<{ at: Date }>('SELECT min(expires_at) AS at FROM outbox_leases')).rows[0]?.at.getTime();
    const before = (await expiry()) as number;
    await eventually('their expiry is extended', async () => ((await expiry()) ?? 0) > before);
    release();
    await outbox.empty();
    expect(outbox.published('A')).toEqual([1]);
  });

  it('end a send when they are lost', async () => {
    let until: (() => number) | undefined;
    const stalled = Promise.withResolvers<void>();
    const kafka = outbox.sendingEachBy((records, options) => {
      until = options?.until;
      return records.map(() => stalled.promise);
    });
    await outbox.write('A', 1);
    outbox.start({ kafka });
    await eventually('the send is pending', () => (until?.() ?? 0) > performance.now());
    await outbox.transferLeases();
    await eventually('it must not be resent', () => until?.() === -Infinity);
    stalled.reject(new Error('the deadline to send the records has passed'));
  });

  it('that are lost during a send mark its orders, which the new owner publishes again', async () => {
    const release = await startSending({ republish, republishAfterMs: 0 });
    await outbox.transferLeases();
    release();
    await eventually('the order is marked', async () => (await noted()).length === 1);
    expect([await noted(), await outbox.pending(), republished]).toEqual([['A'], 1, []]);
    await outbox.relays.pop()?.stop();
    await outbox.pool.query(`UPDATE outbox_leases SET owner = NULL, expires_at = '-infinity'`);
    outbox.start({ republish, republishAfterMs: 0 });
    await eventually('the order is published again', () => republished.length === 1);
    expect(republished).toEqual(['A']);
    await eventually('the mark is removed', async () => (await noted()).length === 0);
  });

  it('of a crashed process make the next owner publish the possibly sent orders again', async () => {
    await outbox.write('A', 1);
    // The process dies while it sends this row, 3 s after a renewal, and its lease lasts for the rest of the 10 s.
    await outbox.pool.query(
      `UPDATE outbox_leases SET owner = 'died', expires_at = clock_timestamp() + interval '3100 milliseconds'`,
    );
    await outbox.pool.query(`UPDATE outbox SET created_at = created_at - interval '10 seconds'`);
    await outbox.write('B', 1);
    await outbox.pool.query(`UPDATE outbox_leases SET expires_at = expires_at - interval '4 seconds'`);
    outbox.start({ republish, republishAfterMs: 3_600_000 });
    await outbox.empty();
    expect([await noted(), republished]).toEqual([['A'], []]);
    await outbox.relays.pop()?.stop();
    outbox.start({ republish, republishAfterMs: 0 });
    await eventually('the order is published again', () => republished.length === 1);
    expect(republished).toEqual(['A']);
  });

  it('that are released cleanly cause no order to be published again', async () => {
    const first = outbox.start({ republish, republishAfterMs: 0 });
    await outbox.write('A', 1);
    await outbox.empty();
    await first.stop();
    await outbox.write('A', 2);
    outbox.start({ republish, republishAfterMs: 0 });
    await outbox.empty();
    expect([await noted(), republished]).toEqual([[], []]);
  });

  it('that were lost have their orders published again, even if that fails at first', async () => {
    let refusals = 2;
    const later = (key: string) => (refusals-- > 0 ? Promise.reject(new Error('PostgreSQL is away')) : republish(key));
    await outbox.pool.query(`INSERT INTO outbox_restatements (key, shard) VALUES ('A', $1)`, [shardOf('A')]);
    outbox.start({ republish: later, republishAfterMs: 0 });
    await eventually('the order is published again', () => republished.length === 1);
    expect(republished).toEqual(['A']);
  });

  it('that were lost have their other orders published again, once each, while one order keeps failing', async () => {
    const unlessB = (key: string) => (key === 'B' ? Promise.reject(new Error('it takes too long')) : republish(key));
    for (const key of ['A', 'B', 'C'])
      await outbox.pool.query('INSERT INTO outbox_restatements (key, shard) VALUES ($1, $2)', [key, shardOf(key)]);
    outbox.start({ republish: unlessB, republishAfterMs: 0 });
    await eventually('the others are published again', () => republished.includes('C'));
    await eventually('their marks are removed', async () => (await noted()).join() === 'B');
    expect(republished).toEqual(['A', 'C']);
  });

  it('that were lost delay a stop only by the order that is currently published again', async () => {
    const stored = Promise.withResolvers<void>();
    const slowly = (key: string) => republish(key).then(() => stored.promise);
    for (const key of ['A', 'B'])
      await outbox.pool.query('INSERT INTO outbox_restatements (key, shard) VALUES ($1, $2)', [key, shardOf(key)]);
    const relay = outbox.start({ republish: slowly, republishAfterMs: 0 });
    await eventually('an order is being republished', () => republished.length > 0);
    const stopped = relay.stop();
    stored.resolve();
    await stopped;
    expect([republished, await noted()]).toEqual([['A'], ['B']]);
  });

  it('that survive a PostgreSQL failure cause no row to be published or sent again', async () => {
    const release = await startSending({ republish });
    const before = await failures();
    await outbox.pool.query('ALTER TABLE outbox RENAME TO away');
    release();
    await eventually('the deletion has failed', async () => (await failures()) > before);
    await outbox.pool.query('ALTER TABLE away RENAME TO outbox');
    await outbox.empty();
    expect(outbox.published('A')).toEqual([1]);
    expect([await noted(), republished]).toEqual([[], []]);
  });
});
