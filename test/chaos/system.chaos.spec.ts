import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Stores } from '../../deploy/local/stores/infrastructure.js';
import { type ClusterWorld, brokersOf, openClusterWorld } from '../cluster/world.js';
import { runScenario, tally } from '../faults/scenario.js';
import { NAME, type Recoveries, chaos, tableOf } from './chaos.js';

const START_MS = 240_000;
const END_MS = 600_000;
const seed = Number(process.env.FAULTS_SEED);
const minutes = Number(process.env.CHAOS_MINUTES);
/** Some fifteen operations a second: the oracle looks at each. */
const LOAD = { limit: Infinity, pauseMs: [300, 700] } as const;

const everyStore = (stores: Stores): URL[] => [
  ...brokersOf(stores),
  new URL(stores.databaseUrl),
  new URL(stores.redisUrl),
];

let world: ClusterWorld;
beforeAll(async () => {
  world = await openClusterWorld(seed, everyStore);
}, START_MS);
afterAll(async () => {
  await world?.close();
}, START_MS);

it(
  `nothing is lost and nothing doubled in ${minutes} minutes of chaos (seed ${seed})`,
  async () => {
    const recoveries: Recoveries = new Map();
    const { failure } = await runScenario(world, {
      name: NAME,
      load: LOAD,
      fault: (_world, random, load) => chaos(world, { random, load, ms: minutes * 60_000, recoveries }),
    });
    const { figures } = world;
    const report = [tableOf(recoveries), figures.summary(), ...figures.kinds(), tally(world, NAME)];
    process.stderr.write(`${report.join('\n')}\n${failure === undefined ? 'lost 0, doubled 0' : failure}\n`);
    expect(failure).toBeUndefined();
  },
  minutes * 60_000 + END_MS,
);
