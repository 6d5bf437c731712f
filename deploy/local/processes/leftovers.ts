import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { glob, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../config.js';
import { replaceFile } from '../replace-file.js';
import { eventually } from '@po/testing/eventually';

interface Entry {
  name: string;
  pid: number;
  /** Start time of the process, because the pid may be reused later. */
  since: string;
}

// Fixed time zone and language, because the next start may use others.
const IN_UTC: ExecFileSyncOptions = {
  env: childEnvironment({ TZ: 'UTC', LC_ALL: 'C' }),
  stdio: ['ignore', 'pipe', 'ignore'],
};

const ZOMBIES_MS = 5_000;

// No file of this repository may have this name, because a folder to be cleared may contain a checkout.
const FILE = 'started-processes.json';

const fileIn = (dir: string) => join(dir, FILE);

/** Start time of a process, in a text that does not depend on the reader or time; null if the process has ended. */
const startOf = (pid: number): string | null =>
  process.platform === 'linux'
    ? startInProc(pid)
    : textOf(() => execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], IN_UTC)).trim() || null;

// Small images have no `ps`.
function startInProc(pid: number): string | null {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`));
  // The program name is in parentheses and may itself contain spaces and parentheses. The fields from the third on follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[22 - 3]];
  // If process 1 is not an init, a killed process stays a zombie.
  if (ticks === undefined || state === 'Z') return null;
  return `${ticks} ticks after boot ${textOf(() => readFileSync('/proc/sys/kernel/random/boot_id')).trim()}`;
}

/** The text that is read; empty if reading fails. */
function textOf(read: () => Buffer | string): string {
  try {
    return read().toString();
  } catch {
    return '';
  }
}

/**
 * Records the processes of this folder, so that the next start can clean up after a killed one. Synchronous, because this process may be
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

/** Whether a process with this pid exists, including zombies. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The recorded processes that still run. */
function aliveIn(dir: string): Entry[] {
  const text = textOf(() => readFileSync(fileIn(dir)));
  const entries = text ? (JSON.parse(text) as Entry[]) : [];
  return entries.filter(({ pid, since }) => startOf(pid) === since);
}

/** Whether a process of a run in this folder is alive, even if the run itself was killed. */
export const hasProcesses = (dir: string): boolean => aliveIn(dir).length > 0;

/** Ends the processes that an earlier, killed run left in this folder and returns their names. Throws if that run is still alive. */
export async function clearLeftovers(dir: string): Promise<string[]> {
  const alive = aliveIn(dir);
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
  // A zombie keeps its port and its pid for a moment, or forever if process 1 is not an init.
  await eventually('their pids are free', () => !alive.some(({ pid }) => isRunning(pid)), {
    timeoutMs: ZOMBIES_MS,
  }).catch(() => undefined);
  // PostgreSQL would not start if a zombie, or another process after a reboot, had the pid in its lock file.
  await rm(join(dir, 'data', 'postgres', 'postmaster.pid'), { force: true });
  await forgetProcesses(dir);
  return alive.map(({ name }) => name);
}

/** Retries, because a killed test tier takes a moment to end, and until then its run counts as alive. */
const endLeftovers = (dir: string): Promise<true> =>
  eventually('leftover processes are ended', () => clearLeftovers(dir).then(() => true as const));

/** Ends the leftovers in this folder and all folders below it. */
export async function endAllLeftovers(dir: string): Promise<void> {
  for await (const file of glob(join(dir, '**', FILE))) await endLeftovers(dirname(file));
}
