import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { step } from '../../deploy/local/progress.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { containerStores } from '../../deploy/local/stores/container-stores.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { Docker } from './engine.js';
import { NpmStart } from './npm-start.js';
import { buildStandIns } from './stand-ins.js';

const PREPARE_MS = 15 * 60_000;
const START_MS = 4 * 60_000;

let docker: Docker;
let started: NpmStart;

beforeAll(async () => {
  docker = await Docker.open();
  await buildStandIns(docker);
}, PREPARE_MS);
afterEach(() => started?.end(), START_MS);
afterAll(() => docker?.close(), START_MS);

const running = async () => (await docker.run(['ps', '--format', '{{.Names}}'])).split('\n').filter(Boolean);
const ofStart = async () => (await running()).filter((name) => /^po-[\da-f]{8}-/.test(name));
/** Except Ryuk, which removes the containers of killed tests. */
const ofTestcontainers = async () => (await running()).filter((name) => /^testcontainers-(?!ryuk)/.test(name));
const volumes = async () => (await docker.run(['volume', 'ls', '--quiet'])).split('\n').filter(Boolean);
const ended = (timeoutMs = START_MS) =>
  eventually('npm has ended', () => started.exitCode !== undefined, { timeoutMs }).catch((error: Error) => {
    throw new Error(`${error.message}\n${started.output.slice(-3_000)}`);
  });

async function start(): Promise<void> {
  started = await NpmStart.begin(docker, 'start');
  await eventually('npm start is ready', () => started.output.includes('Ready: docker stores'), {
    timeoutMs: START_MS,
    giveUp: () => (started.exitCode === undefined ? undefined : new Error(`npm start ended:\n${started.output}`)),
  });
}

describe('npm on a machine with Docker, and without Java and Maven', () => {
  it(
    'runs the fault tier of npm test',
    async () => {
      started = await NpmStart.begin(docker, 'test', ['test', '--', '--tier', 'fault']);
      await ended();
      expect(started.output).toMatch(/^[1-9]\d* passed, 0 failed$/m);
      expect(await ofTestcontainers()).toEqual([]);
    },
    2 * START_MS,
  );

  it(
    'starts the stores in containers, answers at every printed URL, and leaves no running container',
    async () => {
      await start();
      expect(await ofStart()).toHaveLength(3);
      expect(started.urls.length).toBeGreaterThan(7);
      for (const url of started.urls) expect([url, (await fetch(url)).status < 500]).toEqual([url, true]);
      started.stop();
      await ended();
      expect([started.exitCode, await ofStart()]).toEqual([0, []]);
    },
    2 * START_MS,
  );

  it(
    'leaves no running container if it is interrupted while the stores start',
    async () => {
      started = await NpmStart.begin(docker, 'interrupted');
      await eventually('a container runs', async () => (await ofStart()).length > 0, { timeoutMs: START_MS });
      started.stop();
      await ended();
      expect([started.exitCode, await ofStart()]).toEqual([0, []]);
    },
    2 * START_MS,
  );
});

const describeOwn = Docker.usesHostEngine ? () => undefined : describe;

// Not on the machine's engine, which others may use.
describeOwn('npm start with its own engine', () => {
  it(
    'names an image that neither the engine nor a registry has',
    async () => {
      await docker.run(['tag', 'redis:8', 'kept:8']);
      await docker.run(['rmi', '--force', 'redis:8']);
      try {
        started = await NpmStart.begin(docker, 'without-image');
        await ended();
        expect(started.exitCode).toBe(1);
        expect(started.output).toMatch(/redis/);
      } finally {
        await docker.run(['tag', 'kept:8', 'redis:8']);
      }
    },
    START_MS,
  );

  it(
    'reports an engine that stops while the system runs, and ends',
    async () => {
      await start();
      await docker.stop();
      started.stop();
      await ended();
      const { output } = started;
      await docker.start();
      expect(output).toContain('Cannot connect to the Docker daemon');
    },
    2 * START_MS,
  );
});

it(
  'the containers and volumes of a test run are removed at its end',
  async () => {
    Object.assign(process.env, docker.environment, Docker.withoutReaper);
    const dir = `${runDir()}/container-stores`;
    const processes = new Processes(dir);
    await containerStores({ dir, processes, step, fresh: false });
    expect(await ofTestcontainers()).toHaveLength(3);
    const before = await volumes();
    await processes.stop();
    expect(await ofTestcontainers()).toEqual([]);
    const after = await volumes();
    expect(before.filter((volume) => !after.includes(volume)).map((volume) => volume.replace(/.*_/, ''))).toEqual(
      expect.arrayContaining(['kafka', 'postgres']),
    );
  },
  START_MS,
);
