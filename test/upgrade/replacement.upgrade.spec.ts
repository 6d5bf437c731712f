import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { SERVICE_NAMES, SERVICES } from '../../deploy/local/stack/stack-file.js';
import { runScenario, tally } from '../faults/scenario.js';
import { type World, openWorld } from '../faults/world.js';
import { evaluate, capabilitiesOf, previousBuild } from './previous-build.js';
import { upgrades } from './replacements.js';

const LIBRARY = `process.stdout.write(import.meta.resolve('@po/contracts'))`;
const SCENARIO_MS = 900_000;

const seed = Number(process.env.FAULTS_SEED);
const all = process.env.FAULTS_ALL === '1';
const ref = process.env.UPGRADE_PREVIOUS ?? '';
const again = `npm ${all ? 'run test:upgrade --' : 'test -- --tier upgrade'} --seed ${seed}${ref && ` --previous ${ref}`}`;
const say = (line: string) => process.stderr.write(`${line}\n`);

say(`seed ${seed}; to repeat: ${again}`);
const previous = await previousBuild(process.env.FAULTS_DIR ?? '', { ref, needed: all });
say(`the previous version is ${previous.name}`);
// Until all services are replaced, users request only what the previous version offers.
const { reads, ...offered } = await capabilitiesOf(previous);

describe(`an upgrade while users work (seed ${seed})`, () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld(seed, { build: previous.root });
    Object.assign(world, offered);
  });

  afterAll(async () => {
    await world?.close();
  });

  it('starts with services of the previous version and that version of the libraries', async () => {
    for (const service of SERVICES) {
      const folder = join(previous.root, 'services', SERVICE_NAMES[service]);
      const programs = world.replicas(service).map(({ args }) => args.at(-1));
      expect(programs).toEqual([0, 1].map(() => join(folder, 'dist/main.js')));
    }
    const library = join(realpathSync(previous.root), 'libs/contracts/dist/index.js');
    expect(await evaluate(previous, LIBRARY)).toBe(pathToFileURL(library).href);
  });

  for (const scenario of upgrades({ seed, previous: previous.root, next: REPOSITORY, reads, all })) {
    it(
      `fails no request and stays consistent: ${scenario.name}`,
      async () => {
        const startedAt = performance.now();
        const { failure } = await runScenario(world, scenario);
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        say(`  ${scenario.name}: ${seconds} s, ${tally(world, scenario.name)}`);
        expect(failure && `${failure}\nto repeat: ${again}`).toBeUndefined();
      },
      SCENARIO_MS,
    );
  }
});
