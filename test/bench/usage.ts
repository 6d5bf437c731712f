import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** What a process used so far. */
export interface Usage {
  cpuMs: number;
  residentMb: number;
}

/** CPU time and resident memory of a process from /proc; zeros where there is no /proc. */
export function usageOf(pid: number): Usage {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return {
      cpuMs: ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000,
      residentMb: (pages * 4096) / 2 ** 20,
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
