import { join } from 'node:path';
import { expect } from '@jest/globals';
import { GROUPS, type PurchaseOrderState, TOPICS } from '@po/contracts';
import { childEnvironment } from '../../deploy/local/config.js';
import { requireNoLag } from '../../deploy/local/backlog.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { run } from '../../deploy/local/run.js';
import type { ServiceName } from '../../deploy/local/stack-file.js';
import { eventually } from '../support/eventually.js';
import { databaseOf, rowsOf } from './database.js';
import type { Call } from './http.js';
import { checkCounts } from './oracle/dashboards.js';
import { gatherEvidence } from './oracle/evidence.js';
import { newSnapshot } from './orders.js';
import { Random } from './random.js';
import { allReady, recovered } from './recovery.js';
import { USERS, type UserName } from './users.js';
import type { World } from './world.js';

const BACKUP = 'purchase_orders_at_t';
/** What the runbook adds to every version. */
const RAISED_BY = 100_000;
const SUFFIX = '-restored';
/** Of a command at the gateway. Nobody restores a database faster, and these tests must not either. */
const DEADLINE_MS = 8_000;
const WAIT = { timeoutMs: 120_000 };
const OWN_GROUPS = [GROUPS.inventory, GROUPS.commands, GROUPS.queries];

interface Detail {
  statusId: number;
  version: number;
}

/**
 * Copies the purchase orders' database at a time T, lets users go on, puts the copy in its place and does what the README's runbook
 * says. Rejects when the system is not whole then.
 */
export async function checkRestoredDatabase(world: World): Promise<void> {
  const [kept, late] = [`R-${world.seed}-KEPT`, `R-${world.seed}-LATE`];
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
  const deadline = Date.now() + DEADLINE_MS;
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
    await eventually('the inventory topic is read again', () => ownGroupsHaveRead(world, groupSuffix), WAIT);
    await rowsOf(orders(world, 'po_internal'), `UPDATE purchase_orders SET version = version + ${RAISED_BY}`);
    await job('purchase-orders/dist/republish.js', ['--all'], { DATABASE_URL_INTERNAL: orders(world, 'po_internal') });
    await eventually('all states are published', () => outboxIsEmpty(world), WAIT);
    await job('dashboard/dist/rebuild.js', [], { REDIS_URL: world.stack.file().redisUrl });
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

const detailOf = async (world: World, poNumber: string): Promise<Detail> => {
  const { statusId, version } = await ask<Detail>(world, 'admin', {
    method: 'GET',
    path: `/purchase-orders/${poNumber}`,
  });
  return { statusId, version };
};

/** The id of the act's history entry. */
async function act(world: World, user: UserName, poNumber: string, action: string, comment?: string): Promise<string> {
  const path = `/purchase-orders/${poNumber}/transition`;
  const { historyId } = await ask<{ historyId: string }>(world, user, {
    method: 'POST',
    path,
    body: { action, comment },
  });
  return historyId;
}

async function ask<T>(world: World, user: UserName, call: Call): Promise<T> {
  const answer = await world.call(0, user, call);
  if (answer instanceof Error) throw answer;
  if (answer.status !== 200) throw new Error(`${call.path} is ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}

/** Ends all replicas of these services, does the work, and starts them again with these variables from then on. */
async function whileStopped(
  world: World,
  services: readonly ServiceName[],
  work: () => Promise<unknown>,
  environment: Record<string, string> = {},
): Promise<void> {
  const processes = services.flatMap((service) => world.replicas(service));
  for (const process of processes) world.ended.add(process);
  await Promise.all(processes.map((process) => process.suspend('SIGTERM')));
  try {
    await work();
  } finally {
    for (const process of processes) process.resume(environment);
  }
  const urls = services.flatMap((service) => world.stack.file().managementUrls[service]);
  await eventually(`${services.join()} are ready`, () => allReady(urls), WAIT);
}

async function ownGroupsHaveRead({ kafka }: World, groupSuffix: string): Promise<true> {
  const admin = await kafka.admin();
  try {
    await requireNoLag(admin, groupSuffix, OWN_GROUPS);
    return true;
  } finally {
    await admin.close();
  }
}

async function outboxIsEmpty(world: World): Promise<boolean> {
  const rows = await rowsOf(databaseOf(world, 'purchaseOrders'), 'SELECT 1 FROM outbox LIMIT 1');
  return rows.length === 0;
}

const job = (path: string, args: readonly string[], environment: Record<string, string>) =>
  run(process.execPath, [join(REPOSITORY, 'services', path), ...args], { env: childEnvironment(environment) });

function orders(world: World, role: string): string {
  const url = new URL(databaseOf(world, 'purchaseOrders'));
  [url.username, url.password] = [role, role];
  return url.href;
}

function asAdmin(world: World, sql: string): Promise<unknown> {
  const url = new URL(databaseOf(world, 'purchaseOrders'));
  url.pathname = '/postgres';
  return rowsOf(url.href, sql);
}
