import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { OutboxFixture } from '../fixtures/outbox.js';
import { shardOf } from './outbox.js';

let outbox: OutboxFixture;
beforeAll(async () => {
  outbox = await OutboxFixture.open();
});
afterAll(() => outbox.close());

// A long test, because a relay waits 5 s for pending sends when it stops.
test('a relay that stops while a broker hangs keeps the leases of pending sends, and releases the others', async () => {
  let sends = 0;
  const kafka = outbox.sendingEachBy((records) => {
    sends += 1;
    return records.map(() => new Promise<void>(() => undefined));
  });
  const relay = outbox.start({ kafka });
  await outbox.write('A', 1);
  await eventually('the send is pending', () => sends === 1);
  await relay.stop();
  outbox.relays.pop();
  const { rows } = await outbox.pool.query<{ shard: number }>(
    'SELECT shard FROM outbox_leases WHERE owner IS NOT NULL',
  );
  expect(rows).toEqual([{ shard: shardOf('A') }]);
});
