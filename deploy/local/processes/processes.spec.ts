import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { Processes } from './processes.js';

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

it('a process that ends by itself is told of and replaced, one that is stopped is not', async () => {
  const log = join(dir, 'gateway-2.log');
  const program = `console.log('here'); setInterval(() => undefined, 1_000)`;
  const process = processes.start('service', {
    ...{ name: 'gateway', command: globalThis.process.execPath, args: ['-e', program], env: {} },
    ...{ log, stopWithinMs: 5_000 },
  });
  const lines = async () => (await readFile(log, 'utf8')).split('here').length - 1;
  await eventually('it runs', async () => (await lines()) === 1);
  const first = process.pid;
  globalThis.process.kill(first, 'SIGKILL');
  await eventually('its successor runs', async () => (await lines()) === 2);
  expect(process.pid).not.toBe(first);
  await processes.stop();
  expect(told).toEqual(['gateway-2 ended: SIGKILL', `gateway-2 is ${process.pid}`]);
});
