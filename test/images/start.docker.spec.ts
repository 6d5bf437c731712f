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
/** But for the one that removes what others leave. */
const ofTestcontainers = async () => (await running()).filter((name) => /^testcontainers-(?!ryuk)/.test(name));
const volumes = async () => (await docker.run(['volume', 'ls', '--quiet'])).split('\n').filter(Boolean);
const ended = (timeoutMs = START_MS) =>
  eventually('it has ended', () => started.exitCode !== undefined, { timeoutMs }).catch((error: Error) => {
    throw new Error(`${error.message}\n${started.output.slice(-3_000)}`);
  });

async function start(): Promise<void> {
  started = await NpmStart.begin(docker, 'start');
  await eventually('it is ready', () => started.output.includes('Ready: docker stores'), {
    timeoutMs: START_MS,
    giveUp: () => (started.exitCode === undefined ? undefined : new Error(`it ended:\n${started.output}`)),
  });
}

describe('a machine with Docker, and without Java and Maven', () => {
  it(
    'can have the crash of npm test',
    async () => {
      started = await NpmStart.begin(docker, 'test', ['test', '--', '--tier', 'fault']);
      await ended();
      expect(started.output).toMatch(/^[1-9]\d* passed, 0 failed$/m);
      expect(await ofTestcontainers()).toEqual([]);
    },
    2 * START_MS,
  );

  it(
    'starts the stores in containers, answers at every address, and leaves no container that runs',
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
    'leaves no container that runs when it is interrupted while they start',
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

const describeOwn = Docker.isOfMachine ? () => undefined : describe;

// One of this machine may serve others.
describeOwn('an engine', () => {
  it(
    'that lacks an image which no registry gives: the start names it',
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
    'that stops while the system runs is named, and the system stops',
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
  'the stores of a test run are removed with it',
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
