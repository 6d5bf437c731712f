import { GROUPS, type Group } from '@po/contracts';
import { requireNoLag } from '../../deploy/local/stack/backlog.js';
import { allReady } from '../../deploy/local/stack/readiness.js';
import { eventually } from '@po/testing/eventually';
import { databaseOf } from './database.js';
import { rowsOf } from '../support/rows.js';
import { mailsAreDone } from './mail-queue.js';
import { type World, managementUrls } from './world.js';

/** Promised recovery time after a fault; longer next to other tiers, which use the same machine. */
export const RECOVERY_MS = process.env.FAULTS_ALL === '1' ? 30_000 : 120_000;

/** Resolves when every replica is ready and the system is at rest. Rejects after the promised recovery time. */
export async function waitForRecovery(world: World): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  const within = () => ({ timeoutMs: Math.max(1_000, deadline - performance.now()) });
  await eventually('every replica is ready', () => allReady(managementUrls(world)), within());
  await eventually('nothing waits to be handled or published', () => atRest(world), within());
}

// Upstream before downstream: an empty queue stays empty, because it gets no new input.
async function atRest(world: World): Promise<true> {
  await hasNoLag(world, world.groupSuffix);
  await outboxIsEmpty(world, 'purchaseOrders');
  await hasNoLag(world, world.groupSuffix);
  await outboxIsEmpty(world, 'notifications');
  await hasNoLag(world, world.groupSuffix, [GROUPS.mailEvents]);
  await mailsAreDone(world);
  return true;
}

/** Rejects while the outbox has rows. */
async function outboxIsEmpty(world: World, database: 'purchaseOrders' | 'notifications'): Promise<true> {
  const [row] = await rowsOf<{ rows: string }>(databaseOf(world, database), 'SELECT count(*) AS rows FROM outbox');
  if (row?.rows !== '0') throw new Error(`the outbox of ${database} has ${row?.rows} rows`);
  return true;
}

/** Rejects while any of these consumer groups (default: all) has lag. */
export async function hasNoLag({ kafka }: World, groupSuffix: string, groups?: readonly Group[]): Promise<true> {
  const admin = await kafka.admin();
  try {
    await requireNoLag(admin, groupSuffix, groups);
    return true;
  } finally {
    await admin.close();
  }
}
