import { GROUPS, type Group } from '@po/contracts';
import { requireNoLag } from '../../deploy/local/stack/backlog.js';
import { allReady } from '../../deploy/local/stack/readiness.js';
import { eventually } from '@po/testing/eventually';
import { databaseOf } from './database.js';
import { rowsOf } from '../support/rows.js';
import { mailsAreDone } from './mail-queue.js';
import { type World, managementUrls } from './world.js';

/** What everybody is promised after the end of a fault; longer beside other tiers, which take the machine's time. */
const RECOVERY_MS = process.env.FAULTS_ALL === '1' ? 30_000 : 120_000;

/** Resolves when every replica is ready and nothing is under way any more; rejects when that takes longer than promised. */
export async function recovered(world: World): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  const within = () => ({ timeoutMs: Math.max(1_000, deadline - performance.now()) });
  await eventually('every replica is ready', () => allReady(managementUrls(world)), within());
  await eventually('nothing waits to be handled or published', () => atRest(world), within());
}

// Upstream before downstream: what was empty stays so, because nothing new comes in.
async function atRest(world: World): Promise<true> {
  await nothingLags(world, world.groupSuffix);
  await outboxIsEmpty(world, 'purchaseOrders');
  await nothingLags(world, world.groupSuffix);
  await outboxIsEmpty(world, 'notifications');
  await nothingLags(world, world.groupSuffix, [GROUPS.mailEvents]);
  await mailsAreDone(world);
  return true;
}

/** Rejects while rows wait there to be published. */
async function outboxIsEmpty(world: World, database: 'purchaseOrders' | 'notifications'): Promise<true> {
  const [row] = await rowsOf<{ rows: string }>(databaseOf(world, database), 'SELECT count(*) AS rows FROM outbox');
  if (row?.rows !== '0') throw new Error(`the outbox of ${database} has ${row?.rows} rows`);
  return true;
}

/** Rejects while one of these consumer groups, or of all, has records left. */
export async function nothingLags({ kafka }: World, groupSuffix: string, groups?: readonly Group[]): Promise<true> {
  const admin = await kafka.admin();
  try {
    await requireNoLag(admin, groupSuffix, groups);
    return true;
  } finally {
    await admin.close();
  }
}
