import { readFileSync, readdirSync } from 'node:fs';

/** Clock ticks a second in /proc: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** What a process and its children used so far. */
export interface Usage {
  cpuMs: number;
  /** Shared pages are counted in each process that has them. */
  residentMb: number;
  /** Of the resident memory what is neither a file's nor shared: heaps and stacks. */
  ownMb: number;
}

/**
 * CPU time and resident memory of a process and its children, ended ones included, from /proc; zeros where there is none.
 * PostgreSQL works in one child a connection.
 */
export function usageOf(pid: number): Usage {
  const all = [pid, ...childrenOf(pid)].map(processUsage);
  const sum = (of: keyof Usage) => all.reduce((total, each) => total + each[of], 0);
  return { cpuMs: sum('cpuMs'), residentMb: sum('residentMb'), ownMb: sum('ownMb') };
}

/** Process ids of a process's own children, from /proc; none where there is none. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function processUsage(pid: number): Usage {
  try {
    // utime, stime, and those of the children that ended and were waited for.
    const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 15) ?? [];
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return {
      cpuMs: (ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND) * 1000,
      residentMb: megabytes(resident),
      ownMb: megabytes(resident - shared),
    };
  } catch {
    return { cpuMs: 0, residentMb: 0, ownMb: 0 };
  }
}

const megabytes = (pages: number): number => (pages * PAGE_BYTES) / 2 ** 20;

/** A process or several by name; null for one that is not on this machine. */
export type Pids = Record<string, number | null | readonly (number | null)[]>;

/** CPU milliseconds that each process, or group of processes, uses while `work` runs. */
export async function measureCpu<T>(
  pids: Pids,
  work: () => Promise<T>,
): Promise<{ result: T; cpuMs: Record<string, number> }> {
  const used = () => Object.entries(pids).map(([name, members]): [string, number] => [name, cpuMsOf([members].flat())]);
  const before = new Map(used());
  const result = await work();
  const cpuMs = Object.fromEntries(used().map(([name, cpu]) => [name, cpu - (before.get(name) ?? 0)]));
  return { result, cpuMs };
}

const cpuMsOf = (pids: readonly (number | null)[]): number =>
  pids.reduce<number>((sum, pid) => sum + (pid === null ? 0 : usageOf(pid).cpuMs), 0);

/** The share of the machine's CPU time, 0 to 1, that nobody used while `work` ran, from /proc; NaN where there is none. */
export async function measureIdleCpu<T>(work: () => Promise<T>): Promise<{ result: T; idleCpu: number }> {
  const before = machineTicks();
  const result = await work();
  const after = machineTicks();
  return { result, idleCpu: (after.idle - before.idle) / (after.all - before.all) };
}

function machineTicks(): { idle: number; all: number } {
  try {
    // user, nice, system, idle, iowait, irq, softirq, steal; what follows is in user already.
    const ticks = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/).slice(1, 9).map(Number) ?? [];
    const [, , , idle = 0, waiting = 0] = ticks;
    return { idle: idle + waiting, all: ticks.reduce((sum, each) => sum + each, 0) };
  } catch {
    return { idle: 0, all: 0 };
  }
}

const ANSWER_MS = 2_000;

/** The JavaScript memory of a service in MB, from its metrics; nulls when it does not answer. */
export async function heapOf(managementUrl = ''): Promise<{ heapUsedMb: number | null; externalMb: number | null }> {
  const metrics = await fetch(`${managementUrl}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    (answer) => answer.text(),
    () => '',
  );
  const mbOf = (name: string) => {
    const bytes = new RegExp(`^${name} ([\\d.e+]+)$`, 'm').exec(metrics)?.[1];
    return bytes === undefined ? null : Number(bytes) / 2 ** 20;
  };
  return { heapUsedMb: mbOf('nodejs_heap_size_used_bytes'), externalMb: mbOf('nodejs_external_memory_bytes') };
}

/** Throws where memory cannot be read from /proc. */
export function requireProc(): void {
  if (usageOf(process.pid).residentMb === 0) throw new Error('memory is read from /proc, which takes Linux');
}
