import type { StackFile } from '#local/stack/stack-file.js';
import type { BenchStack } from '../stack.js';
import { type Pids, measureCpu, measureIdleCpu } from '../usage.js';
import type { LoadResult } from './loops.js';
import type { LoadProcess } from './process.js';
import type { LoadKind } from './requests.js';

/** The answers to a load, and its costs. */
export interface Measured extends LoadResult {
  /** CPU milliseconds a request of each process, that of its effects included. */
  cpuMs: Record<string, number>;
  /** The share of the machine's CPU, 0 to 1, that was idle under the load. */
  idleCpu: number;
}

/** Closed-loop load on one or several addresses of one thing. */
export interface Load {
  kind: LoadKind;
  urls: readonly string[];
  connections: number;
  seconds: number;
}

const WARM_UP_S = 2;

export const LABELS: Record<LoadKind, string> = { get: 'GET one order', list: 'list of 50', transition: 'transition' };

/** Warms up, and measures until the effects of the requests are done; neither pays for the other. */
export async function measureLoad(stack: BenchStack, client: LoadProcess, load: Load, pids: Pids): Promise<Measured> {
  await client.execute('load', { ...load, seconds: WARM_UP_S });
  await stack.settled();
  const { result: loaded, cpuMs } = await measureCpu({ ...pids, load: client.pid }, async () => {
    const underLoad = await measureIdleCpu(() => client.execute('load', load));
    await stack.settled();
    return underLoad;
  });
  const { result, idleCpu } = loaded;
  const perRequest = Object.entries(cpuMs).map(([name, cpu]): [string, number] => [name, cpu / result.requests]);
  return { ...result, cpuMs: Object.fromEntries(perRequest), idleCpu };
}

/** The stores, and what transitions cause beside the gateway and the order service. */
export function otherPids({ pids }: StackFile): { stores: Pids; fanOut: Pids } {
  const { kafka, postgres, notifications, dashboard, redis } = pids;
  return { stores: { kafka, postgres }, fanOut: { 'fan-out': [...notifications, ...dashboard, redis] } };
}

/** CPU milliseconds a request of all processes but the load client. */
export const cpuTotal = ({ cpuMs }: Pick<Measured, 'cpuMs'>): number =>
  Object.entries(cpuMs).reduce((sum, [name, cpu]) => sum + (name === 'load' ? 0 : cpu), 0);

/** The columns of a load. */
export function figuresOf({ requestsPerSecond, p50, p95, p99, errors, cpuMs, ...measured }: Measured): object {
  const { load, ...processes } = cpuMs;
  return {
    'req/s': requestsPerSecond,
    p50,
    p95,
    p99,
    errors,
    ...processes,
    'all CPU': cpuTotal({ cpuMs }),
    'load client': load,
    'idle %': Math.round(100 * measured.idleCpu),
  };
}

/** A load as a multiple of another one. */
export const multiplesOf = (row: Measured, other: Measured): object => ({
  'x req/s': row.requestsPerSecond / other.requestsPerSecond,
  'x p50': row.p50 / other.p50,
  'x p99': row.p99 / other.p99,
  'x CPU': cpuTotal(row) / cpuTotal(other),
});

/** The first error of each load that had some. */
export const errorNotes = (rows: readonly { name: string; errors: number; firstError: string | null }[]): string[] =>
  rows.flatMap(({ name, errors, firstError }) =>
    errors > 0 ? [`${name}: ${errors} errors, the first: ${firstError}`] : [],
  );
