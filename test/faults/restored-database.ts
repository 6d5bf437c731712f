import { expect } from '@jest/globals';
import { GROUPS, type PurchaseOrderState, TOPICS } from '@po/contracts';
import { DEADLINES } from '@po/messaging';
import { asRole } from '@po/testing/service-databases';
import { eventually } from '@po/testing/eventually';
import { repairIn } from '../support/repair.js';
import { databaseOf, rowsOf } from './database.js';
import { checkCounts } from './oracle/dashboards.js';
import { gatherEvidence } from './oracle/evidence.js';
import { newSnapshot } from './orders.js';
import { Random } from './random.js';
import { nothingLags, outboxIsEmpty, recovered } from './recovery.js';
import { whileStopped } from './restart.js';
import { USERS, type UserName } from './users.js';
import { type World, ask } from './world.js';

const BACKUP = 'purchase_orders_at_t';
/** What the runbook adds to every version. */
const RAISED_BY = 100_000;
const SUFFIX = '-restored';
const WAIT = { timeoutMs: 120_000 };
const OWN_GROUPS = [GROUPS.inventory, GROUPS.commands, GROUPS.queries, GROUPS.directory];

interface Detail {
  statusId: number;
  version: number;
}

/**
 * Copies the purchase orders' database at a time T, lets users go on, puts the copy in its place and does what the runbook in deploy
 * says. Rejects when the system is not whole then.
 */
export async function checkRestoredDatabase(world: World): Promise<void> {
  const [kept, late] = [`R-${world.seed}-KEPT`, `R-${world.seed}-LATE`];
  // The repair commands look there for the stack.
  await world.stack.announce();
  await importOrder(world, kept);
  await act(world, 'acme', kept, 'SUBMIT');
  await recovered(world);
  const atT = await detailOf(world, kept);
  await whileStopped(world, ['purchaseOrders'], () =>
    asAdmin(world, `CREATE DATABASE ${BACKUP} TEMPLATE purchase_orders OWNER po_migrator`),
  );

  const lost = [
    await act(world, 'buyer', kept, 'REJECT', 'this never happened'),
    await act(world, 'acme', kept, 'SUBMIT'),
    await act(world, 'buyer', kept, 'APPROVE'),
  ];
  await importOrder(world, late);
  await act(world, 'acme', late, 'SUBMIT');
  // Nobody restores a database before the last commands are too old, and these tests must not either.
  const deadline = Date.now() + DEADLINES.command;
  await recovered(world);

  const groupSuffix = world.groupSuffix + SUFFIX;
  await whileStopped(world, ['gateway'], async () => {
    await whileStopped(
      world,
      ['purchaseOrders'],
      async () => {
        await asAdmin(world, 'DROP DATABASE purchase_orders WITH (FORCE)');
        await asAdmin(world, `ALTER DATABASE ${BACKUP} RENAME TO purchase_orders`);
        await eventually('every lost command is too old', () => Date.now() > deadline);
      },
      { KAFKA_GROUP_SUFFIX: groupSuffix },
    );
    await eventually('the inventory topic is read again', () => nothingLags(world, groupSuffix, OWN_GROUPS), WAIT);
    await rowsOf(
      asRole(databaseOf(world, 'purchaseOrders'), 'po_internal'),
      `UPDATE purchase_orders SET version = version + ${RAISED_BY}`,
    );
    expect(await repairIn(world.dir, 'republish', '--all')).toMatchObject({ status: 0 });
    await eventually('all states are published', () => outboxIsEmpty(world, 'purchaseOrders'), WAIT);
    expect(await repairIn(world.dir, 'rebuild-dashboard')).toMatchObject({ status: 0 });
  });

  expect(await detailOf(world, kept)).toEqual({ statusId: atT.statusId, version: atT.version + RAISED_BY });
  expect((await detailOf(world, late)).statusId).toBe(100);
  await everyDashboardCountsTheOrders(world);

  // What is done again is new for everybody, although the versions it would have had were published before.
  const again = await act(world, 'buyer', kept, 'APPROVE');
  expect(lost).not.toContain(again);
  await eventually('everybody who is told of the act is told once', async () => {
    const { rows, records } = await tracesOf(world, kept, again);
    expect(rows).toEqual([USERS.acme.sub, USERS.acme2.sub]);
    expect(records.at(-1)).toMatchObject({ poVersion: atT.version + RAISED_BY + 1, statusId: 300 });
    return true;
  });
  await everyDashboardCountsTheOrders(world);
}

async function everyDashboardCountsTheOrders(world: World): Promise<void> {
  await eventually('every dashboard counts the orders as they are', async () => {
    expect(checkCounts(await gatherEvidence(world))).toEqual([]);
    return true;
  });
}

/** Who was notified of the entry, and the published states of the order. */
async function tracesOf(world: World, poNumber: string, historyId: string) {
  const rows = await rowsOf<{ userId: string }>(
    databaseOf(world, 'notifications'),
    `SELECT user_id AS "userId" FROM notifications WHERE history_id = '${historyId}' ORDER BY user_id`,
  );
  await world.published.catchUp();
  const records = world.published.originals
    .filter(({ topic, key }) => topic === TOPICS.state && key?.toString() === poNumber)
    .map(({ value }) => JSON.parse(String(value)) as PurchaseOrderState);
  return { rows: rows.map(({ userId }) => userId), records };
}

async function importOrder(world: World, poNumber: string): Promise<void> {
  const snapshot = {
    ...newSnapshot(poNumber, Random.of(world.seed, poNumber)),
    vendor: { code: 'ACME', name: 'Acme' },
  };
  await world.inventory.send('purchase-order.upserted', snapshot);
  await eventually(`${poNumber} is there`, () => detailOf(world, poNumber), WAIT);
}

async function detailOf(world: World, poNumber: string): Promise<Detail> {
  const { body } = await ask(world, 0, 'admin', { method: 'GET', path: `/purchase-orders/${poNumber}` });
  const { statusId, version } = body as Detail;
  return { statusId, version };
}

/** The id of the act's history entry. */
async function act(world: World, user: UserName, poNumber: string, action: string, comment?: string): Promise<string> {
  const path = `/purchase-orders/${poNumber}/transition`;
  const { body } = await ask(world, 0, user, { method: 'POST', path, body: { action, comment } });
  return (body as { historyId: string }).historyId;
}

function asAdmin(world: World, sql: string): Promise<unknown> {
  const url = new URL(databaseOf(world, 'purchaseOrders'));
  url.pathname = '/postgres';
  return rowsOf(url.href, sql);
}
