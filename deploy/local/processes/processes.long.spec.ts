import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { stackFileIn } from '../stack/stack-file.js';
import { REPOSITORY } from '../repository.js';
import { clearLeftovers, endAllLeftovers, recordProcesses } from './leftovers.js';
import { HOST, reservePorts } from './ports.js';
import { Processes } from './processes.js';
import { run } from './run.js';

let dir: string;
let processes: Processes;
const events: string[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-processes-'));
  processes = new Processes(dir, {
    ended: ({ label }, how) => events.push(`${label} ended: ${how}`),
    replaced: ({ label, pid }) => events.push(`${label} is ${pid}`),
  });
});
afterEach(async () => {
  await processes.stop();
  await rm(dir, { recursive: true });
});

it('a process that exits by itself is reported and restarted, but a stopped one is not', async () => {
  const log = join(dir, 'gateway-2.log');
  const program = `console.log('here'); setInterval(() => undefined, 1_000)`;
  const process = processes.start('service', {
    name: 'gateway',
    command: globalThis.process.execPath,
    args: ['-e', program],
    env: {},
    log,
    stopTimeoutMs: 5_000,
  });
  const lines = async () => (await readFile(log, 'utf8')).split('here').length - 1;
  await eventually('it runs', async () => (await lines()) === 1);
  const first = process.pid;
  globalThis.process.kill(first, 'SIGKILL');
  await eventually('the restarted process runs', async () => (await lines()) === 2);
  expect(process.pid).not.toBe(first);
  await processes.stop();
  expect(events.splice(0)).toEqual(['gateway-2 ended: SIGKILL', `gateway-2 is ${process.pid}`]);
});

/** Calls a function of leftovers.ts in a process with this environment. */
const elsewhere = (env: Record<string, string>, call: string): Promise<string> => {
  const leftovers = new URL('../dist/processes/leftovers.js', import.meta.url).href;
  const program = ['--input-type=module', '-e', `await (await import('${leftovers}')).${call}`];
  return run(process.execPath, program, { env: { ...process.env, ...env } });
};

it.each([
  ['another time zone', { TZ: 'Asia/Shanghai' }],
  ['an environment without ps', { PATH: '/nowhere' }],
])('a process left by a killed run in %s is recognized and ended', async (_where, env) => {
  const left = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)']);
  try {
    await elsewhere(env, `recordProcesses('${dir}', [{ name: 'Redis', pid: ${left.pid} }])`);
    expect(await clearLeftovers(dir)).toEqual(['Redis']);
  } finally {
    left.kill('SIGKILL');
  }
});

it('leftovers below a folder are ended even if the folder contains a checkout of this repository', async () => {
  await cp(join(REPOSITORY, 'deploy', 'helm'), join(dir, 'checkout', 'deploy', 'helm'), { recursive: true });
  const below = join(dir, 'run', 'stack');
  await mkdir(below, { recursive: true });
  const left = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)']);
  const ended = once(left, 'exit');
  try {
    await elsewhere({}, `recordProcesses('${below}', [{ name: 'Redis', pid: ${left.pid} }])`);
    await endAllLeftovers(dir);
    expect(await ended).toEqual([null, 'SIGKILL']);
  } finally {
    left.kill('SIGKILL');
  }
});

it('a started process is recorded at once, in case this process is killed immediately afterwards', async () => {
  const { pid } = processes.start('store', {
    name: 'Redis',
    command: process.execPath,
    args: ['-e', 'setInterval(() => undefined, 1_000)'],
    env: {},
    log: join(dir, 'redis.log'),
    stopTimeoutMs: 5_000,
  });
  const known = JSON.parse(readFileSync(join(dir, 'started-processes.json'), 'utf8')) as object[];
  expect(known).toMatchObject([{ pid: process.pid }, { name: 'Redis', pid }]);
  await processes.stop();
});

it('a second run in the same folder is refused, even before the first has started a process', async () => {
  recordProcesses(dir, []);
  const message = `a stack already runs in ${dir} (process ${process.pid})`;
  await expect(clearLeftovers(dir)).rejects.toThrow(message);
  await expect(elsewhere({ PATH: '/nowhere' }, `clearLeftovers('${dir}')`)).rejects.toThrow(message);
});

it('clearing leftovers removes the lock file of PostgreSQL, whose pid another process may have after a reboot', async () => {
  const lock = join(dir, 'data', 'postgres', 'postmaster.pid');
  await mkdir(dirname(lock), { recursive: true });
  await writeFile(lock, `${process.ppid}\n`);
  expect(await clearLeftovers(dir)).toEqual([]);
  expect(existsSync(lock)).toBe(false);
});

it('a suspended process restarts with new arguments and keeps them for later restarts', async () => {
  const log = join(dir, 'gateway-3.log');
  const program = (version: string) => ['-e', `console.log('${version}'); setInterval(() => undefined, 1_000)`];
  const process = processes.start('service', {
    name: 'gateway',
    command: globalThis.process.execPath,
    args: program('older'),
    env: {},
    log,
    stopTimeoutMs: 5_000,
  });
  const printed = async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean);
  await eventually('the older one runs', async () => (await printed()).length === 1);
  await process.suspend('SIGTERM');
  process.resume({}, program('newer'));
  await eventually('the newer one runs', async () => (await printed()).length === 2);
  globalThis.process.kill(process.pid, 'SIGKILL');
  await eventually('the restarted process runs', async () => (await printed()).length === 3);
  expect(await printed()).toEqual(['older', 'newer', 'newer']);
});

it('a start whose port is in use does not change stack.json of the running stack', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, HOST, resolve));
  const { port } = server.address() as AddressInfo;
  await writeFile(stackFileIn(dir), '{}');
  const env = { ...process.env, PORT: String(port), PO_LOCAL_DIR: dir };
  const program = fileURLToPath(new URL('../dist/commands/start.js', import.meta.url));
  try {
    await expect(run(process.execPath, [program], { env })).rejects.toThrow(`port ${port} is in use`);
    expect(await readFile(stackFileIn(dir), 'utf8')).toBe('{}');
  } finally {
    server.close();
  }
});

it('a start with Docker names the orders of embedded stores, which an earlier start without Docker used', async () => {
  await mkdir(join(dir, 'data/postgres'), { recursive: true });
  // Seems to start containers, so the start fails later.
  await writeFile(join(dir, 'docker'), '#!/bin/sh\necho 1\n', { mode: 0o755 });
  const [port] = Object.values(await reservePorts(dir, ['gateway']));
  const env = {
    ...process.env,
    PATH: `${dir}:${process.env['PATH']}`,
    PORT: String(port),
    PO_LOCAL_DIR: dir,
    PO_INFRA: '',
    DATABASE_URL: '',
  };
  const program = fileURLToPath(new URL('../dist/commands/start.js', import.meta.url));
  await expect(run(process.execPath, [program], { env })).rejects.toThrow(/have other orders: PO_INFRA=embedded/);
});
