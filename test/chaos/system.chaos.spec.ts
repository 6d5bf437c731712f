import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runScenario, tally } from '../faults/scenario.js';
import { NAME, type Recoveries, chaos, tableOf } from './chaos.js';
import { type ChaosWorld, openChaosWorld } from './world.js';

/** The first run downloads and builds Keycloak. */
const START_MS = 15 * 60_000;
const END_MS = 600_000;
const seed = Number(process.env.FAULTS_SEED);
const minutes = Number(process.env.CHAOS_MINUTES);
/** About fifteen operations a second. The rate is limited because the oracle checks each operation. */
const LOAD = { limit: Infinity, pauseMs: [300, 700] } as const;

let world: ChaosWorld;
beforeAll(async () => {
  world = await openChaosWorld(seed, process.env.FAULTS_DIR ?? '');
}, START_MS);
afterAll(async () => {
  await world?.close();
}, START_MS);

it(
  `the system loses and duplicates nothing in ${minutes} minutes of chaos (seed ${seed})`,
  async () => {
    const recoveries: Recoveries = new Map();
    const { failure } = await runScenario(world, {
      name: NAME,
      load: LOAD,
      fault: (_world, random, load) => chaos(world, { random, load, ms: minutes * 60_000, recoveries }),
    });
    const { figures } = world;
    const tokens = `tokens renewed ${world.renewals()} times`;
    const report = [tableOf(recoveries), figures.summary(), ...figures.kinds(), tally(world, NAME), tokens];
    process.stderr.write(`${report.join('\n')}\n${failure === undefined ? 'lost 0, doubled 0' : failure}\n`);
    expect(failure).toBeUndefined();
  },
  minutes * 60_000 + END_MS,
);
