import { progress } from '../lifetime.js';
import type { BenchStack } from '../stack.js';
import { type Pids, measureCpu } from '../usage.js';
import { type LoadResult, closedLoop } from './loops.js';
import type { Loads } from './requests.js';

type Kind = keyof Loads;

/** One of the implementations or configurations that are compared under the same load. */
export interface Variant {
  name: string;
  /** Makes this variant the active one before each of its turns. */
  begin?: () => Promise<unknown>;
  /** Base URLs of its replicas, without a path. */
  urls: () => readonly string[];
  /** Processes whose CPU time counts toward a request. */
  pids: (kind: Kind) => Pids;
  /** Bytes sent elsewhere so far. */
  sent?: () => number;
}

interface Turn {
  variant: Variant;
  kind: Kind;
  connections: number;
}

/** Answers to a load and its costs. */
export interface Measured extends Turn, LoadResult {
  /** CPU milliseconds per request by process, including the request's effects. */
  cpuMs: Record<string, number>;
  /** CPU of the load client, and bytes sent elsewhere, per request. */
  clientMs: number;
  sentBytes: number;
  /** Idle share of the machine's CPU under the load, 0 to 1. */
  idleCpu: number;
}

const LABELS: Record<Kind, string> = { get: 'GET one order', list: 'list of 50', transition: 'transition' };

/** Runs the turns one after another. A turn's warm-up and late effects do not count toward the next one. */
export async function measureTurns(
  stack: BenchStack,
  loads: Loads,
  turns: readonly Turn[],
  { seconds, warmUp = 2 }: { seconds: number; warmUp?: number },
): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const { variant, kind, connections } of turns) {
    if (variant !== rows.at(-1)?.variant) await variant.begin?.();
    await stack.settled();
    const load = { urls: variant.urls(), connections };
    await closedLoop({ ...load, seconds: warmUp }, loads[kind]);
    await stack.settled();
    const sentBefore = variant.sent?.() ?? 0;
    const { result: loaded, cpuMs } = await measureCpu(variant.pids(kind), async () => {
      const underLoad = await measureCpu({}, () => closedLoop({ ...load, seconds }, loads[kind]));
      await stack.settled();
      return underLoad;
    });
    const { result, idleCpu } = loaded;
    const aRequest = (total: number) => total / result.requests;
    rows.push({
      variant,
      kind,
      ...result,
      cpuMs: Object.fromEntries(Object.entries(cpuMs).map(([name, cpu]) => [name, aRequest(cpu)])),
      clientMs: aRequest(loaded.clientMs),
      sentBytes: aRequest((variant.sent?.() ?? 0) - sentBefore),
      idleCpu,
    });
    progress(`${kind}, ${connections} connections, ${variant.name}: ${result.requestsPerSecond.toFixed(0)} a second`);
  }
  return rows;
}

/** CPU milliseconds per request of all processes except the load client. */
export const cpuTotal = ({ cpuMs }: Measured): number => Object.values(cpuMs).reduce((sum, cpu) => sum + cpu, 0);

export const labelsOf = (row: Measured) => ({
  what: LABELS[row.kind],
  connections: row.connections,
  variant: row.variant.name,
});

/** Table columns of a load. */
export function figuresOf(row: Measured): object {
  const { requestsPerSecond, p50, p95, p99, errors, cpuMs, clientMs, idleCpu } = row;
  const costs = { ...cpuMs, 'all CPU': cpuTotal(row), 'load client': clientMs, 'idle %': 100 * idleCpu };
  return { ...labelsOf(row), 'req/s': requestsPerSecond, p50, p95, p99, errors, ...costs };
}

/** One variant as a multiple of the others, by kind and number of connections. */
export function multiplesOf(rows: readonly Measured[], name: string, others: readonly string[]): object[] {
  return rows.flatMap((other) => {
    const isAlike = ({ kind, connections }: Measured) => kind === other.kind && connections === other.connections;
    const row = rows.find((each) => each.variant.name === name && isAlike(each));
    if (!row || !others.includes(other.variant.name)) return [];
    const [p50, p99] = [row.p50 / other.p50, row.p99 / other.p99];
    const load = { 'x req/s': row.requestsPerSecond / other.requestsPerSecond, 'x p50': p50, 'x p99': p99 };
    return [{ ...labelsOf(row), to: other.variant.name, ...load, 'x CPU': cpuTotal(row) / cpuTotal(other) }];
  });
}

/** First error of each load with errors. */
export const errorNotes = (rows: readonly Measured[]): string[] =>
  rows
    .filter(({ errors }) => errors > 0)
    .map((row) => `${Object.values(labelsOf(row)).join(', ')}: ${row.errors} errors, the first: ${row.firstError}`);
