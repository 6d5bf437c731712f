import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../faults/random.js';
import { runScenario, tally } from '../faults/scenario.js';
import { BulkImport } from './bulk-import.js';
import { CLUSTER_SCENARIOS, type ClusterScenario } from './scenarios.js';
import { type ClusterWorld, openClusterWorld } from './world.js';

/** Failed requests of a scenario that are named. */
const SHOWN = 10;
/** Of all requests, how many may fail where other tests take the processor meanwhile, as in `npm run test:all`: it shows what is lost. */
const BESIDE_OTHERS = 0.5;

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

  /** What is wrong, if anything: what does not agree afterwards, and failed requests above what the scenario may have. */
  const check = async (name: string, { disturb, mayFail, load }: ClusterScenario, bulk: boolean) => {
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
        const limit = mayFail !== undefined && !all ? BESIDE_OTHERS : mayFail;
        return limit !== undefined && failedShare > limit ? failures : [];
      },
    });
    for (const one of world.figures.failures.slice(0, SHOWN)) say(`    ${one}`);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const agreed = (world.agreedInMs / 1000).toFixed(1);
    say(`  ${name}: ${seconds} s, ${world.figures.summary()}, all agrees after ${agreed} s; ${tally(world, name)}`);
    return failure;
  };

  for (const scenario of CLUSTER_SCENARIOS.filter(({ name, short }) => (all || short) && name.includes(only))) {
    for (const bulk of all ? [false, true] : [false]) {
      const name = bulk ? `${scenario.name} during bulk imports` : scenario.name;
      it(`${name}`, async () => {
        expect(await check(name, scenario, bulk)).toBeUndefined();
      });
    }
  }
});
