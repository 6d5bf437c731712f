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
  return childrenOf(pid)
    .map(processUsage)
    .reduce(
      (sum, each) => ({
        cpuMs: sum.cpuMs + each.cpuMs,
        residentMb: sum.residentMb + each.residentMb,
        ownMb: sum.ownMb + each.ownMb,
      }),
      processUsage(pid),
    );
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

/** CPU milliseconds that each process, or group of processes, uses while `work` runs. */
export async function measureCpu<T>(
  pids: Record<string, number | readonly number[]>,
  work: () => Promise<T>,
): Promise<{ result: T; cpuMs: Record<string, number> }> {
  const used = () => Object.entries(pids).map(([name, members]): [string, number] => [name, cpuMsOf([members].flat())]);
  const before = new Map(used());
  const result = await work();
  const cpuMs = Object.fromEntries(used().map(([name, cpu]) => [name, cpu - (before.get(name) ?? 0)]));
  return { result, cpuMs };
}

const cpuMsOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + usageOf(pid).cpuMs, 0);

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
