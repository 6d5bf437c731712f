import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Clock ticks per second in /proc: 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
const PAGES_A_MB = 2 ** 20 / 4096;
const ANSWER_MS = 2_000;

/** Throws unless this machine has the files of /proc from which usage and children are read. */
export function requireProc(): void {
  if (!existsSync('/proc/thread-self/children')) throw new Error('this test needs /proc, which only Linux has');
}

/** Resources that a process and its children have used so far. */
export interface Usage {
  cpuMs: number;
  /** Resident memory; shared pages count in each process. */
  residentMb: number;
  /** The part of the resident memory that is neither file-backed nor shared: heaps and stacks. */
  ownMb: number;
}

/** Usage of a process and its children, including ended ones, from /proc; zeros if it does not exist. PostgreSQL forks per connection. */
export function usageOf(pid: number): Usage {
  const all = [pid, ...childrenOf(pid)].map(processUsage);
  const sum = (of: keyof Usage) => all.reduce((total, each) => total + each[of], 0);
  return { cpuMs: sum('cpuMs'), residentMb: sum('residentMb'), ownMb: sum('ownMb') };
}

/** Process ids of the direct children from /proc; empty if the process does not exist. */
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
    // utime, stime, and those of the waited-for children.
    const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 15) ?? [];
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return {
      cpuMs: ticks.reduce((total, tick) => total + (1000 * Number(tick)) / TICKS_PER_SECOND, 0),
      residentMb: resident / PAGES_A_MB,
      ownMb: (resident - shared) / PAGES_A_MB,
    };
  } catch {
    return { cpuMs: 0, residentMb: 0, ownMb: 0 };
  }
}

/** Process ids by name; null for a process that is not on this machine. */
export type Pids = Record<string, number | null | readonly (number | null)[]>;

/** CPU milliseconds of each process or group while `work` runs, of the load client alone, and the machine's idle share, 0 to 1. */
export async function measureCpu<T>(pids: Pids, work: () => Promise<T>) {
  const used = () => Object.values(pids).map((members) => cpuMsOf([members].flat()));
  const [before, machine, own] = [used(), machineTicks(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(own);
  const [after, { idle, all }] = [used(), machineTicks()];
  const cpuMs = Object.fromEntries(
    Object.keys(pids).map((name, index) => [name, (after[index] ?? 0) - (before[index] ?? 0)]),
  );
  return { result, cpuMs, clientMs: (user + system) / 1000, idleCpu: (idle - machine.idle) / (all - machine.all) };
}

const cpuMsOf = (pids: readonly (number | null)[]): number =>
  pids.reduce((sum: number, pid) => sum + usageOf(pid ?? 0).cpuMs, 0);

function machineTicks(): { idle: number; all: number } {
  if (!existsSync('/proc/stat')) return { idle: 0, all: 0 };
  // user, nice, system, idle, iowait, irq, softirq, steal; the following fields are included in user.
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/).slice(1, 9).map(Number) ?? [];
  const [, , , idle = 0, waiting = 0] = ticks;
  return { idle: idle + waiting, all: ticks.reduce((sum, each) => sum + each, 0) };
}

/** JavaScript memory of a service in MB, from its metrics; NaN if it does not answer. */
export async function heapOf(managementUrl = ''): Promise<{ heapMb: number; externalMb: number }> {
  const metrics = await fetch(`${managementUrl}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    (answer) => answer.text(),
    () => '',
  );
  const mbOf = (name: string) => Number(new RegExp(`^${name} ([\\d.e+]+)$`, 'm').exec(metrics)?.[1]) / 2 ** 20;
  return { heapMb: mbOf('nodejs_heap_size_used_bytes'), externalMb: mbOf('nodejs_external_memory_bytes') };
}
