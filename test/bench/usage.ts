import { readFileSync, readdirSync } from 'node:fs';

/** Clock ticks a second in /proc: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** What a process and its children used so far. */
export interface Usage {
  cpuMs: number;
  /** Shared pages are counted in each process that has them. */
  residentMb: number;
}

/**
 * CPU time and resident memory of a process and its children, ended ones included, from /proc; zeros where there is none.
 * PostgreSQL works in one child a connection.
 */
export function usageOf(pid: number): Usage {
  const own = processUsage(pid);
  return childrenOf(pid)
    .map(processUsage)
    .reduce(
      (sum, { cpuMs, residentMb }) => ({ cpuMs: sum.cpuMs + cpuMs, residentMb: sum.residentMb + residentMb }),
      own,
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
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return {
      cpuMs: (ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND) * 1000,
      residentMb: (pages * PAGE_BYTES) / 2 ** 20,
    };
  } catch {
    return { cpuMs: 0, residentMb: 0 };
  }
}

/** CPU milliseconds that each process uses while `work` runs. */
export async function measureCpu<T>(
  pids: Record<string, number>,
  work: () => Promise<T>,
): Promise<{ result: T; cpuMs: Record<string, number> }> {
  const before = Object.entries(pids).map(([name, pid]): [string, number] => [name, usageOf(pid).cpuMs]);
  const result = await work();
  const cpuMs = Object.fromEntries(before.map(([name, cpu]) => [name, usageOf(pids[name] ?? 0).cpuMs - cpu]));
  return { result, cpuMs };
}
