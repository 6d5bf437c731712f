import { DEADLINES } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { type Answer } from '../faults/http.js';
import { OperationLog } from '../faults/operation-log.js';
import { newSnapshot } from '../faults/orders.js';
import { Random } from '../faults/random.js';
import { waitForRecovery } from '../faults/recovery.js';
import type { UserName } from '../faults/users.js';
import { startLoad } from '../faults/workload.js';
import { type World, ask } from '../faults/world.js';

const VENDOR = { code: 'CRANE', name: 'Crane Textiles' };

export interface Detail {
  statusId: number;
  version: number;
  sourceRevision: number;
}

export async function detailOf(world: World, poNumber: string): Promise<Detail> {
  const { body } = await ask(world, 0, 'admin', { method: 'GET', path: `/purchase-orders/${poNumber}` });
  const { statusId, version, sourceRevision } = body as Detail;
  return { statusId, version, sourceRevision };
}

/** Requests a transition with this idempotency key. */
export const act = (world: World, user: UserName, poNumber: string, action: string, key: string): Promise<Answer> =>
  ask(world, 0, user, {
    method: 'POST',
    path: `/purchase-orders/${poNumber}/transition`,
    body: { action },
    headers: { 'idempotency-key': key },
  });

export const historyIdOf = ({ body }: Answer): string => (body as { historyId: string }).historyId;

/** Imports a revision of an order and resolves when it is applied. No policy approves submissions of the order's vendor. */
export async function importOrder(world: World, poNumber: string, sourceRevision = 1): Promise<void> {
  const snapshot = newSnapshot(poNumber, Random.of(world.seed, poNumber));
  const lines = snapshot.lines.map((line) => ({ ...line, qty: line.qty + sourceRevision }));
  await world.inventory.send('purchase-order.upserted', { ...snapshot, sourceRevision, vendor: VENDOR, lines });
  await eventually(
    `${poNumber} has revision ${sourceRevision}`,
    async () => (await detailOf(world, poNumber)).sourceRevision === sourceRevision,
  );
}

/** Runs the load, does the work after this number of acknowledged operations, and stops after as many more. Returns the operations. */
export async function runUnderLoad(
  world: World,
  name: string,
  operations: number,
  work: () => Promise<unknown>,
): Promise<OperationLog> {
  const log = new OperationLog();
  const load = startLoad({ ...world, log }, { scenario: name, random: Random.of(world.seed, name) });
  try {
    await load.served(operations);
    await work();
    await load.served(operations);
  } finally {
    await load.finish();
  }
  await waitForRecovery(world);
  return log;
}

/** Latest time at which a command sent now is executed. */
export const commandEnds = (): number => Date.now() + DEADLINES.command;
