import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { clearLeftovers, recordProcesses } from './leftovers.js';

let dir: string;
let parent: ChildProcess;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-leftovers-'));
});
afterEach(async () => {
  parent.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

/** Starts a process whose parent never reaps it. If killed, it stays a zombie until the parent ends after `parentSeconds`. */
async function leftBehind(parentSeconds: number): Promise<number> {
  parent = spawn('sh', ['-c', `sleep 60 & echo $!; exec sleep ${parentSeconds}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(parent.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const pid = Number(line);
  recordProcesses(dir, [{ name: 'PostgreSQL', pid }]);
  const file = join(dir, 'started-processes.json');
  const entries = JSON.parse(await readFile(file, 'utf8')) as { name: string }[];
  await writeFile(file, JSON.stringify(entries.filter(({ name }) => name !== 'runner')));
  return pid;
}

it('clearing leftovers waits until the pid of a killed process is free, and thus its port', async () => {
  const pid = await leftBehind(3);
  expect(await clearLeftovers(dir)).toEqual(['PostgreSQL']);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('clearing leftovers removes the lock file of PostgreSQL if its zombie is never reaped', async () => {
  const lock = join(dir, 'data/postgres/postmaster.pid');
  await mkdir(join(dir, 'data/postgres'), { recursive: true });
  await writeFile(lock, '');
  await leftBehind(60);
  expect(await clearLeftovers(dir)).toEqual(['PostgreSQL']);
  await expect(stat(lock)).rejects.toThrow('ENOENT');
});
