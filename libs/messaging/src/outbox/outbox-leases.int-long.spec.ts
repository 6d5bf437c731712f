import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { OutboxFixture } from '../fixtures/outbox.js';
import { outboxFailures } from '../metrics.js';
import { shardOf } from './outbox.js';

describe('the leases of an outbox', () => {
  let outbox: OutboxFixture;
  let restated: string[][];

  beforeEach(async () => {
    outbox = await OutboxFixture.open();
    restated = [];
  });
  afterEach(() => outbox.close());

  const restate = (keys: string[]) => Promise.resolve(void restated.push(keys));
  const failures = async () => (await outboxFailures.get()).values[0]?.value ?? 0;

  /** A relay whose first send, of an entry of order A, does not end until what is answered is called. */
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

  it('let one of two relays publish a shard, and the other take over when it stops', async () => {
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

  it('are not shared by two processes that were given one instance id', async () => {
    const release = await startSending({ instanceId: 'twice' });
    outbox.start({ instanceId: 'twice' });
    // The other may have this shard alone, and has looked once it has published of it.
    await outbox.pool.query(`UPDATE outbox_leases SET expires_at = '-infinity' WHERE shard = $1`, [shardOf('B')]);
    await outbox.write('B', 1);
    await eventually('the other publishes its shard', () => outbox.published('B').length === 1);
    expect(outbox.published('A')).toEqual([]);
    release();
    await outbox.empty();
    expect(outbox.published('A')).toEqual([1]);
  });

  it('that were lost during a send make its orders be restated', async () => {
    const release = await startSending({ restate });
    await outbox.giveLeasesAway();
    release();
    await eventually('the order is restated', () => restated.length === 1);
    expect(restated).toEqual([['A']]);
    expect(await outbox.pending()).toBe(1);
  });

  it('that were lost are not forgotten when nothing could be deleted after the send', async () => {
    const release = await startSending({ restate });
    await outbox.giveLeasesAway();
    await outbox.pool.query('ALTER TABLE outbox RENAME TO away');
    release();
    await eventually('the order is restated', () => restated.length === 1);
    await outbox.pool.query('ALTER TABLE away RENAME TO outbox');
    expect(restated).toEqual([['A']]);
  });

  it('that were lost are not forgotten when the orders cannot be restated at first', async () => {
    let refusals = 2;
    const later = (keys: string[]) =>
      refusals-- > 0 ? Promise.reject(new Error('PostgreSQL is away')) : restate(keys);
    const release = await startSending({ restate: later });
    await outbox.giveLeasesAway();
    release();
    await eventually('the order is restated', () => restated.length === 1);
    expect(restated).toEqual([['A']]);
  });

  it('that were kept over a failure of PostgreSQL need no order to be restated', async () => {
    const release = await startSending({ restate });
    const before = await failures();
    await outbox.pool.query('ALTER TABLE outbox RENAME TO away');
    release();
    await eventually('the deletion has failed', async () => (await failures()) > before);
    await outbox.pool.query('ALTER TABLE away RENAME TO outbox');
    await outbox.empty();
    expect(outbox.published('A').length).toBeGreaterThan(1);
    expect(restated).toEqual([]);
  });
});
