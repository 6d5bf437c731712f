import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { glob, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../config.js';
import { replaceFile } from '../replace-file.js';
import { eventually } from '@po/testing/eventually';

interface Entry {
  name: string;
  pid: number;
  /** When the process started, because another one may have the same number later. */
  since: string;
}

// The next start may be in another time zone or language.
const IN_UTC: ExecFileSyncOptions = {
  env: childEnvironment({ TZ: 'UTC', LC_ALL: 'C' }),
  stdio: ['ignore', 'pipe', 'ignore'],
};

const ZOMBIES_MS = 5_000;

// A folder that is cleared may hold a checkout of this repository: none of its files has this name.
const FILE = 'started-processes.json';

const fileIn = (dir: string) => join(dir, FILE);

/** Its start time in words that are the same whoever asks, and whenever; null if it has ended. */
const startOf = (pid: number): string | null =>
  process.platform === 'linux'
    ? startInProc(pid)
    : textOf(() => execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], IN_UTC)).trim() || null;

// Small images have no `ps`.
function startInProc(pid: number): string | null {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`));
  // The name of the program is in brackets, and may have any of these characters. Behind it are the fields from the third on.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[22 - 3]];
  // Where process 1 is no init, who was killed stays as a zombie.
  if (ticks === undefined || state === 'Z') return null;
  return `${ticks} ticks after boot ${textOf(() => readFileSync('/proc/sys/kernel/random/boot_id')).trim()}`;
}

/** What is read; nothing where it cannot be. */
function textOf(read: () => Buffer | string): string {
  try {
    return read().toString();
  } catch {
    return '';
  }
}

/**
 * Notes which processes belong to this folder, so that the next start can clear up after one that was killed. At once: this process may be
 * killed as soon as it has started them.
 */
export function recordProcesses(dir: string, processes: readonly { name: string; pid: number }[]): void {
  const entries = [{ name: 'runner', pid: process.pid }, ...processes].map(({ name, pid }) => ({
    name,
    pid,
    since: startOf(pid),
  }));
  replaceFile(fileIn(dir), JSON.stringify(entries.filter(({ since }) => since)));
}

export const forgetProcesses = (dir: string): Promise<void> => rm(fileIn(dir), { force: true });

/** Whether there is a process of this number, a zombie too. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Ends what an earlier, killed run left behind in this folder. Throws when that run is still alive. */
export async function clearLeftovers(dir: string): Promise<string[]> {
  const entries = await readFile(fileIn(dir), 'utf8').then(
    (text) => JSON.parse(text) as Entry[],
    () => [],
  );
  const alive = entries.filter(({ pid, since }) => startOf(pid) === since);
  const runner = alive.find(({ name }) => name === 'runner');
  if (runner) {
    throw new Error(
      `a stack already runs in ${dir} (process ${runner.pid}): stop it, or set PO_LOCAL_DIR to another folder and PORT to another port`,
    );
  }
  for (const { pid } of alive) process.kill(pid, 'SIGKILL');
  await eventually('the processes of an earlier run are gone', () =>
    alive.every(({ pid, since }) => startOf(pid) !== since),
  );
  // A zombie holds its port for a moment more, and its number in PostgreSQL's lock file; where process 1 is no init, for ever.
  await eventually('their numbers are free', () => !alive.some(({ pid }) => isRunning(pid)), {
    timeoutMs: ZOMBIES_MS,
  }).catch(() => rm(join(dir, 'data', 'postgres', 'postmaster.pid'), { force: true }));
  await forgetProcesses(dir);
  return alive.map(({ name }) => name);
}

/** What a test tier leaves here when it is killed: it takes a moment to go, and until then its processes are not left over. */
const endLeftovers = (dir: string): Promise<true> =>
  eventually('what was left behind is ended', () => clearLeftovers(dir).then(() => true as const));

/** The same for this folder and all below it. */
export async function endAllLeftovers(dir: string): Promise<void> {
  for await (const file of glob(join(dir, '**', FILE))) await endLeftovers(dirname(file));
}
