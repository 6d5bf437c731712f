import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../config.js';
import { replaceFile } from '../replace-file.js';
import { eventually } from '@po/testing/eventually';
import { tryRun } from './run.js';

interface Entry {
  name: string;
  pid: number;
  /** Start time of the process as `ps` prints it in UTC, because another process may have the same number later. */
  since: string;
}

// The next start may be in another time zone or language.
const IN_UTC = childEnvironment({ TZ: 'UTC', LC_ALL: 'C' });

const fileIn = (dir: string) => join(dir, 'processes.json');

const startOf = async (pid: number): Promise<string | null> =>
  (await tryRun('ps', ['-o', 'lstart=', '-p', String(pid)], { env: IN_UTC }))?.trim() || null;

/** Notes which processes belong to this folder, so that the next start can clear up after one that was killed. */
export async function recordProcesses(dir: string, processes: readonly { name: string; pid: number }[]): Promise<void> {
  const entries = await Promise.all(
    [{ name: 'runner', pid: process.pid }, ...processes].map(async ({ name, pid }) => ({
      name,
      pid,
      since: await startOf(pid),
    })),
  );
  await replaceFile(fileIn(dir), JSON.stringify(entries.filter(({ since }) => since)));
}

export const forgetProcesses = (dir: string): Promise<void> => rm(fileIn(dir), { force: true });

/** Ends what an earlier, killed run left behind in this folder. Throws when that run is still alive. */
export async function clearLeftovers(dir: string): Promise<string[]> {
  const entries = await readFile(fileIn(dir), 'utf8').then(
    (text) => JSON.parse(text) as Entry[],
    () => [],
  );
  const alive: Entry[] = [];
  for (const entry of entries) if ((await startOf(entry.pid)) === entry.since) alive.push(entry);
  const runner = alive.find(({ name }) => name === 'runner');
  if (runner) {
    throw new Error(
      `a stack already runs in ${dir} (process ${runner.pid}): stop it, or set PO_LOCAL_DIR to another folder and PORT to another port`,
    );
  }
  for (const { pid } of alive) process.kill(pid, 'SIGKILL');
  await eventually('the processes of an earlier run are gone', async () => {
    for (const { pid, since } of alive) if ((await startOf(pid)) === since) return false;
    return true;
  });
  await forgetProcesses(dir);
  return alive.map(({ name }) => name);
}

/** What a test tier leaves here when it is killed: it takes a moment to go, and until then its processes are not left over. */
export const endLeftovers = (dir: string): Promise<true> =>
  eventually('what was left behind is ended', () => clearLeftovers(dir).then(() => true as const));
