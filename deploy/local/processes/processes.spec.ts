import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { clearLeftovers, recordProcesses } from './leftovers.js';
import { Processes } from './processes.js';
import { run } from './run.js';

let dir: string;
let processes: Processes;
const told: string[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-processes-'));
  processes = new Processes(dir, {
    ended: ({ label }, how) => told.push(`${label} ended: ${how}`),
    replaced: ({ label, pid }) => told.push(`${label} is ${pid}`),
  });
});
afterEach(async () => {
  await processes.stop();
  await rm(dir, { recursive: true });
});

it('a process that exits by itself is reported and restarted, a stopped one is not', async () => {
  const log = join(dir, 'gateway-2.log');
  const program = `console.log('here'); setInterval(() => undefined, 1_000)`;
  const process = processes.start('service', {
    name: 'gateway',
    command: globalThis.process.execPath,
    args: ['-e', program],
    env: {},
    log,
    stopWithinMs: 5_000,
  });
  const lines = async () => (await readFile(log, 'utf8')).split('here').length - 1;
  await eventually('it runs', async () => (await lines()) === 1);
  const first = process.pid;
  globalThis.process.kill(first, 'SIGKILL');
  await eventually('its successor runs', async () => (await lines()) === 2);
  expect(process.pid).not.toBe(first);
  await processes.stop();
  expect(told.splice(0)).toEqual(['gateway-2 ended: SIGKILL', `gateway-2 is ${process.pid}`]);
});

it('what a killed run left is known again in another time zone', async () => {
  const left = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)']);
  const leftovers = new URL('../dist/processes/leftovers.js', import.meta.url).href;
  const record = `(await import('${leftovers}')).recordProcesses('${dir}', [{ name: 'Redis', pid: ${left.pid} }])`;
  try {
    const env = { ...process.env, TZ: 'Asia/Shanghai' };
    await run(process.execPath, ['--input-type=module', '-e', record], { env });
    expect(await clearLeftovers(dir)).toEqual(['Redis']);
  } finally {
    left.kill('SIGKILL');
  }
});

it('a run that is there is told, before it has started anything', async () => {
  await recordProcesses(dir, []);
  await expect(clearLeftovers(dir)).rejects.toThrow(`a stack already runs in ${dir} (process ${process.pid})`);
});

it('a suspended process restarts with new arguments, and keeps them', async () => {
  const log = join(dir, 'gateway-3.log');
  const program = (version: string) => ['-e', `console.log('${version}'); setInterval(() => undefined, 1_000)`];
  const process = processes.start('service', {
    name: 'gateway',
    command: globalThis.process.execPath,
    args: program('older'),
    env: {},
    log,
    stopWithinMs: 5_000,
  });
  const printed = async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean);
  await eventually('the older one runs', async () => (await printed()).length === 1);
  await process.suspend('SIGTERM');
  process.resume({}, program('newer'));
  await eventually('the newer one runs', async () => (await printed()).length === 2);
  globalThis.process.kill(process.pid, 'SIGKILL');
  await eventually('its successor runs', async () => (await printed()).length === 3);
  expect(await printed()).toEqual(['older', 'newer', 'newer']);
});
