import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../faults/random.js';
import { runScenario, tally } from '../faults/scenario.js';
import { BulkImport } from './bulk-import.js';
import { CLUSTER_SCENARIOS, type ClusterScenario } from './scenarios.js';
import { type ClusterWorld, openClusterWorld } from './world.js';

/** Maximum number of failed requests to print for a scenario. */
const SHOWN = 10;
/** Maximum share of failed requests in `npm run test:all`: other tests use the CPU at that time, so this run can only show lost data. */
const SHORT_MAX_FAILED_SHARE = 0.5;

const seed = Number(process.env.FAULTS_SEED);
const all = process.env.CLUSTER_ALL === '1';
const only = process.env.FAULTS_ONLY ?? '';
const say = (line: string) => process.stderr.write(`${line}\n`);

describe(`the system on three brokers (seed ${seed})`, () => {
  let world: ClusterWorld;
  beforeAll(async () => {
    say(`seed ${seed}; to repeat: npm ${all ? 'run test:cluster --' : 'test -- --tier cluster'} --seed ${seed}`);
    world = await openClusterWorld(seed);
  });
  afterAll(async () => {
    await world?.close();
  });

  /** Runs a scenario. Returns inconsistencies, and failed requests above the scenario's limit; undefined if there are none. */
  const check = async (name: string, { disturb, maxFailedShare, load }: ClusterScenario, bulk: boolean) => {
    world.figures.start();
    const startedAt = performance.now();
    const { failure } = await runScenario(world, {
      name,
      ...(load && { load }),
      fault: async (_world, random, load) => {
        const imports = bulk ? new BulkImport(world, name, Random.of(seed, `${name}, imports`)) : null;
        await disturb(world, random, load).finally(() => imports?.stop());
      },
      check: () => {
        const { failures, failedShare } = world.figures;
        const limit = maxFailedShare !== undefined && !all ? SHORT_MAX_FAILED_SHARE : maxFailedShare;
        return limit !== undefined && failedShare > limit ? failures : [];
      },
    });
    for (const one of world.figures.failures.slice(0, SHOWN)) say(`    ${one}`);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const agreed = (world.agreedInMs / 1000).toFixed(1);
    say(`  ${name}: ${seconds} s, ${world.figures.summary()}, consistent after ${agreed} s; ${tally(world, name)}`);
    return failure;
  };

  for (const scenario of CLUSTER_SCENARIOS.filter(({ name, short }) => (all || short) && name.includes(only))) {
    for (const bulk of all ? [false, true] : [false]) {
      const name = bulk ? `${scenario.name} during bulk imports` : scenario.name;
      it(`stays consistent when ${name}`, async () => {
        expect(await check(name, scenario, bulk)).toBeUndefined();
      });
    }
  }
});
