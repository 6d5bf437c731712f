import { setTimeout as delay } from 'node:timers/promises';
import { TOPIC_MANIFEST } from '@po/contracts';
import type { Random } from '../faults/random.js';
import { whileFrozen } from '../faults/scenarios/outages.js';
import type { Scenario } from '../faults/scenario.js';
import type { Load } from '../faults/workload.js';
import { waitForInSync, moveReplicas } from './brokers.js';
import { BROKERS, type ClusterWorld } from './world.js';

export interface ClusterScenario {
  name: string;
  /** Whether the short selection, which `npm run test:all` runs, includes the scenario. */
  short?: boolean;
  /** Maximum share of failed requests; no limit if absent, for faults that make requests impossible. */
  maxFailedShare?: number;
  disturb: (world: ClusterWorld, random: Random, load: Load) => Promise<void>;
  load?: Scenario['load'];
}

/** Longer than a broker session, so other brokers lead the partitions before the silent broker returns. */
const AWAY_MS = 14_000;
/** More concurrent users than two cores can serve. */
const BUSY_WORKERS = 24;
const MOVE_EVERY_MS = 5_000;
const TOPICS = TOPIC_MANIFEST.map(({ topic }) => topic);
const IDS = Array.from({ length: BROKERS }, (_, index) => index + 1);

const allInSync = (world: ClusterWorld) => waitForInSync(world, BROKERS);

async function down(world: ClusterWorld, ids: readonly number[], signal: NodeJS.Signals, ms: number): Promise<void> {
  await Promise.all(ids.map((id) => world.broker(id).suspend(signal)));
  await delay(ms);
  for (const id of ids) world.broker(id).resume();
  await allInSync(world);
}

async function restartInTurn(world: ClusterWorld, random: Random): Promise<void> {
  for (const id of random.shuffled(IDS)) await down(world, [id], 'SIGTERM', 0);
}

async function frozen(world: ClusterWorld, id: number): Promise<void> {
  await whileFrozen(world.broker(id).pid, () => delay(AWAY_MS));
  await allInSync(world);
}

/** Every fault of a cluster. Each runs under steady load, and again during bulk imports. */
export const CLUSTER_SCENARIOS: readonly ClusterScenario[] = [
  {
    name: 'brokers are restarted one after another',
    short: true,
    maxFailedShare: 0,
    disturb: restartInTurn,
  },
  {
    name: 'brokers are restarted one after another on a busy machine',
    maxFailedShare: 0.01,
    load: { workers: BUSY_WORKERS },
    disturb: restartInTurn,
  },
  {
    name: 'a broker is killed',
    short: true,
    maxFailedShare: 0.01,
    disturb: (world, random) => down(world, [random.pick(IDS)], 'SIGKILL', AWAY_MS),
  },
  { name: 'a broker hangs', maxFailedShare: 0.01, disturb: (world, random) => frozen(world, random.pick(IDS)) },
  {
    name: 'one broker is unreachable for all services',
    maxFailedShare: 0.01,
    disturb: async (world) => {
      const [proxy] = world.proxies;
      proxy.hang();
      await delay(AWAY_MS).finally(() => proxy.restore());
    },
  },
  {
    name: 'partition leaders and replicas move',
    maxFailedShare: 0,
    disturb: async (world) => {
      for (const away of IDS) {
        const until = delay(MOVE_EVERY_MS);
        await moveReplicas(
          world,
          TOPICS,
          IDS.filter((id) => id !== away),
        );
        await until;
      }
      await moveReplicas(world, TOPICS, IDS);
      await allInSync(world);
    },
  },
  {
    name: 'a replica of the order service is killed',
    maxFailedShare: 0.01,
    disturb: async (world, random, load) => {
      const victim = random.pick(world.replicas('purchaseOrders'));
      world.ended.add(victim);
      process.kill(victim.pid, 'SIGKILL');
      await delay(AWAY_MS);
      await load.served(10);
    },
  },
  {
    name: 'two brokers are down',
    disturb: (world, random) => down(world, random.shuffled(IDS).slice(0, 2), 'SIGKILL', AWAY_MS),
  },
  { name: 'all brokers are restarted at the same time', disturb: (world) => down(world, IDS, 'SIGTERM', 0) },
];
