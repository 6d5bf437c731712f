import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '@po/database';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { type OrdersDatabase, exampleOrder, ordersDatabase, storeOrder } from '../fixtures/orders-database.js';
import { republishOrders } from './republish-orders.js';
import { OrderStore } from '../store/load-order.js';
import { republishOrder } from './republish-order.js';

const NUMBERS = Array.from({ length: 7 }, (_, index) => `PO-${index}`);
const logger = createLogger('test', 'silent');

describe('republishing orders', () => {
  let orders: OrdersDatabase;
  let database: Database;
  beforeAll(async () => {
    orders = await ordersDatabase();
    for (const number of NUMBERS) await storeOrder(orders, exampleOrder(number));
    database = new Database({ url: orders.urls.internal, name: 'republish', poolSize: 2, logger });
    await database.connect();
  });
  beforeEach(() => orders.inspect('TRUNCATE outbox'));
  afterAll(async () => {
    await database.close();
    await orders.drop();
  });

  const outbox = () =>
    orders.inspect<{ key: string; version: number; messages: { topic: string; headers: { ce_id: string } }[] }>(
      'SELECT key, version, messages FROM outbox ORDER BY position',
    );

  it('writes the state of each order to the outbox once, in several batches, with its old version and event id', async () => {
    expect(await republishOrders(database, 'all', { logger, batchSize: 3 })).toEqual({
      republished: 7,
      unknown: [],
      failed: [],
    });
    const rows = await outbox();
    expect(rows.map(({ key }) => key)).toEqual(NUMBERS);
    for (const { key, version, messages } of rows) {
      expect(version).toBe(1);
      expect(messages).toMatchObject([{ topic: 'po.state.v1', headers: { ce_id: `${key}@1` } }]);
    }
  });

  it('takes only the named orders, and reports unknown ones', async () => {
    const selection = ['PO-5', 'PO-NONE', 'PO-1'];
    expect(await republishOrders(database, selection, { logger, batchSize: 1 })).toEqual({
      republished: 2,
      unknown: ['PO-NONE'],
      failed: [],
    });
    expect((await outbox()).map(({ key }) => key)).toEqual(['PO-1', 'PO-5']);
  });

  it('skips an order that no longer exists', async () => {
    for (const poNumber of ['PO-NONE', 'PO-1'])
      await republishOrder({ internal: database, orders: new OrderStore() }, poNumber);
    expect((await outbox()).map(({ key }) => key)).toEqual(['PO-1']);
  });

  it('continues after an order that cannot be republished, and reports it', async () => {
    await orders.inspect(
      `CREATE OR REPLACE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN IF NEW.key = 'PO-1' THEN RAISE EXCEPTION 'crash' USING ERRCODE = '22023'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER crash BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION crash()`,
    );
    const work = republishOrders(database, 'all', { logger, batchSize: 3 });
    await work.catch(() => undefined);
    await orders.inspect('DROP TRIGGER crash ON outbox');
    expect((await outbox()).map(({ key }) => key)).toEqual(NUMBERS.filter((number) => number !== 'PO-1'));
    await expect(work).resolves.toEqual({ republished: 6, unknown: [], failed: ['PO-1'] });
  });

  it('raises a version that is too low once, and publishes the order with it', async () => {
    const versions = () =>
      orders.inspect<{ version: number }>(`SELECT version FROM purchase_orders WHERE po_number = 'PO-0'`);
    for (const leastVersion of [500, 400]) {
      await republishOrders(database, ['PO-0'], { logger, leastVersion });
      expect(await versions()).toEqual([{ version: 500 }]);
    }
    expect((await outbox()).map(({ version, messages: [message] }) => [version, message?.headers.ce_id])).toEqual([
      [500, 'PO-0@500'],
      [500, 'PO-0@500'],
    ]);
  });

  it('adds no batch while the outbox is full, and continues afterwards', async () => {
    const work = republishOrders(database, 'all', { logger, batchSize: 2, backlog: 3 });
    await eventually('two batches are in the outbox', async () => (await outbox()).length === 4);
    await orders.inspect('DELETE FROM outbox WHERE key = ANY($1)', [NUMBERS.slice(0, 4)]);
    await expect(work).resolves.toMatchObject({ republished: 7 });
    expect((await outbox()).map(({ key }) => key)).toEqual(NUMBERS.slice(4));
  });

  it('waits as long as rows are published, even if as many new rows arrive', async () => {
    const stallTimeoutMs = 1_000;
    const work = republishOrders(database, 'all', { logger, batchSize: 2, backlog: 1, stallTimeoutMs });
    work.catch(() => undefined);
    await eventually('a batch is in the outbox', async () => (await outbox()).length === 2);
    for (const began = performance.now(); performance.now() - began < 2 * stallTimeoutMs;) {
      // The oldest row is published, and a new one arrives.
      await orders.inspect('UPDATE outbox SET position = DEFAULT WHERE position = (SELECT min(position) FROM outbox)');
    }
    let finished = false;
    const publishing = eventually('the remaining rows are published', async () => {
      await orders.inspect('DELETE FROM outbox');
      return finished;
    });
    await expect(work.finally(() => (finished = true))).resolves.toMatchObject({ republished: 7 });
    await publishing;
  });

  it('gives up and reports its progress if nothing is published', async () => {
    const work = republishOrders(database, 'all', { logger, batchSize: 2, backlog: 1, stallTimeoutMs: 200 });
    await expect(work).rejects.toThrow(/holds 2 rows and nothing publishes them.* 2 orders were added/);
  });

  it('does not wait for parked rows', async () => {
    await republishOrders(database, ['PO-0', 'PO-1'], { logger });
    await orders.inspect(`UPDATE outbox SET parked_reason = 'too large'`);
    await expect(
      republishOrders(database, ['PO-2'], { logger, backlog: 0, stallTimeoutMs: 200 }),
    ).resolves.toMatchObject({
      republished: 1,
    });
  });
});
