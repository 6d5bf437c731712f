import { GROUPS, type Group, TOPICS } from '@po/contracts';
import { eventually } from '../support/eventually.js';
import { databaseOf, rowsOf } from './database.js';
import { type World, managementUrls } from './world.js';

/** What everybody is promised after the end of a fault. */
const RECOVERY_MS = 30_000;

const TAKEN: Record<Group, readonly string[]> = {
  [GROUPS.inventory]: [TOPICS.inventory],
  [GROUPS.commands]: [TOPICS.commands],
  [GROUPS.queries]: [TOPICS.queries],
  [GROUPS.notificationsRpc]: [TOPICS.notificationsRpc],
  [GROUPS.notificationsEvents]: [TOPICS.transitions, TOPICS.users],
  [GROUPS.dashboardRpc]: [TOPICS.dashboardRpc],
  [GROUPS.dashboardEvents]: [TOPICS.state],
};

/** Resolves when every replica is ready and nothing is under way any more; rejects when that takes longer than promised. */
export async function recovered(world: World): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  const within = () => ({ timeoutMs: Math.max(1_000, deadline - performance.now()) });
  await eventually('every replica is ready', () => allReady(world), within());
  await eventually('nothing waits to be handled or published', () => atRest(world), within());
}

async function allReady(world: World): Promise<true> {
  for (const url of managementUrls(world)) {
    const answer = await fetch(`${url}/readyz`);
    if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  }
  return true;
}

// Upstream before downstream: what was empty stays so, because nothing new comes in.
async function atRest(world: World): Promise<true> {
  await nothingLags(world);
  await outboxIsEmpty(world, 'purchaseOrders');
  await nothingLags(world);
  await outboxIsEmpty(world, 'notifications');
  return true;
}

async function outboxIsEmpty(world: World, database: 'purchaseOrders' | 'notifications'): Promise<void> {
  const [row] = await rowsOf<{ rows: string }>(databaseOf(world, database), 'SELECT count(*) AS rows FROM outbox');
  if (row?.rows !== '0') throw new Error(`the outbox of ${database} has ${row?.rows} rows`);
}

async function nothingLags({ kafka, groupSuffix }: World): Promise<void> {
  const admin = await kafka.admin();
  try {
    for (const [group, topics] of Object.entries(TAKEN)) {
      for (const topic of topics) {
        const committed = new Map(
          (await admin.committed(group + groupSuffix, topic))
            // A group that has taken nothing of a partition yet stands at -1.
            .filter(({ offset }) => BigInt(offset) >= 0n)
            .map(({ partition, offset }) => [partition, BigInt(offset)]),
        );
        for (const { partition, low, high } of await admin.offsets(topic)) {
          const lag = BigInt(high) - (committed.get(partition) ?? BigInt(low));
          if (lag > 0n) throw new Error(`${group + groupSuffix} is ${lag} records behind on ${topic}/${partition}`);
        }
      }
    }
  } finally {
    await admin.close();
  }
}
