import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '@po/testing/eventually';
import { inventoryOf, revision } from '../fixtures/inventory.js';
import { type OrdersDatabase, ordersDatabase } from '../fixtures/orders-database.js';

let database: OrdersDatabase;
let inventory: ReturnType<typeof inventoryOf>;
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeAll(async () => {
  database = await ordersDatabase();
  inventory = inventoryOf(database);
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await database.drop();
});

/** Ends the connection on which a message is applied while it waits for `lock`, and expects that the message fails. */
async function breakWhile(lock: string, taken: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: database.urls.inspection });
  await holder.connect();
  try {
    await holder.query(`BEGIN; ${lock}`);
    const taking = taken();
    taking.catch(() => undefined);
    await eventually('the waiting connection is ended', async () => {
      const ended = await database.inspect(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'purchase-orders-internal' AND wait_event_type = 'Lock'`,
      );
      return ended.length > 0;
    });
    await expect(taking).rejects.toBeInstanceOf(Error);
  } finally {
    await holder.end();
  }
  await setImmediate();
  expect(unhandled).toEqual([]);
}

test('a connection that breaks during the last statements of a batch does not end the process, and a retry succeeds', async () => {
  await inventory.upsert(revision('X-1'));
  const renamed = revision('X-2', 1, { vendor: { code: 'ACME', name: 'Acme, renamed' } });
  await breakWhile(`SELECT FROM vendors WHERE code = 'ACME' FOR UPDATE`, () => inventory.upsert(renamed));
  await breakWhile('LOCK TABLE search_parts IN EXCLUSIVE MODE', () => inventory.upsert(renamed));
  await inventory.upsert(renamed);
  expect(await inventory.historyOf('X-2')).toHaveLength(1);
});
