import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runScenario, tally } from './scenario.js';
import { SCENARIOS } from './scenarios/scenarios.js';
import { type World, openWorld } from './world.js';

const seed = Number(process.env.FAULTS_SEED);
const all = process.env.FAULTS_ALL === '1';
const only = process.env.FAULTS_ONLY ?? '';
const again = `npm ${all ? 'run test:faults --' : 'test -- --tier faults'} --seed ${seed}`;
const say = (line: string) => process.stderr.write(`${line}\n`);

describe(`the system under load (seed ${seed})`, () => {
  let world: World;

  beforeAll(async () => {
    say(`seed ${seed}; to repeat: ${again}`);
    world = await openWorld(seed);
  });

  afterAll(async () => {
    await world?.close();
  });

  for (const scenario of SCENARIOS.filter(({ name, short }) => (all || short) && name.includes(only))) {
    it(`keeps its promises: ${scenario.name}`, async () => {
      const startedAt = performance.now();
      const { failure, measured } = await runScenario(world, scenario);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      say(`  ${scenario.name}: ${seconds} s, ${tally(world, scenario.name)}${measured}`);
      expect(failure && `${failure}\nto repeat: ${again}`).toBeUndefined();
    });
  }
});
