import { Connection } from '../load/connection.js';
import { type Turn, atConstantRate } from '../load/constant-rate.js';
import { type Quantiles, quantilesOf } from '../load/quantiles.js';
import { MIX_KINDS, Mix, type MixKind, type MixTarget } from './mix.js';

/** More than are ever in flight at the rates that one machine bears. */
const LANES = 256;
const NO_ANSWER = 'none';

export interface MixedResult {
  /** Of 2xx answers, milliseconds from when a request was due; `all` is all of them. */
  latencies: Record<MixKind | 'all', Quantiles & { requests: number }>;
  /** How many answers had each status; `none` were not answered. */
  statuses: Record<string, number>;
  /** Neither answered with 2xx nor refused because the order stood elsewhere (409), as it does after a newer revision. */
  failed: number;
  /** The first of them: its request line, and what came back. */
  firstFailure: string | null;
}

/** Asks what `Mix` draws at a constant rate, whatever the answers take. */
export async function mixedLoad(url: URL, perSecond: number, seconds: number, target: MixTarget): Promise<MixedResult> {
  const mix = new Mix(target);
  const tally = new Tally();
  const connections = Array.from({ length: LANES }, () => new Connection(url));
  await atConstantRate({ perSecond, seconds, lanes: LANES }, async ({ lane, dueAt }: Turn) => {
    const { kind, text, answered } = mix.next();
    try {
      const answer = await (connections[lane] as Connection).exchange(text);
      answered(answer);
      tally.count(
        kind,
        performance.now() - dueAt,
        answer.status,
        () => `${line(text)}: ${answer.body.toString('utf8', 0, 300)}`,
      );
    } catch (error) {
      answered(null);
      tally.count(kind, 0, null, () => `${line(text)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  for (const connection of connections) connection.close();
  return tally.result();
}

const line = (text: string): string => text.split(' HTTP', 1)[0] ?? '';

class Tally {
  private readonly latencies = new Map(MIX_KINDS.map((kind): [MixKind, number[]] => [kind, []]));
  private readonly statuses = new Map<string, number>();
  private failed = 0;
  private firstFailure: string | null = null;

  count(kind: MixKind, latency: number, status: number | null, shown: () => string): void {
    const name = status === null ? NO_ANSWER : String(status);
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    if (status !== null && status >= 200 && status <= 299) {
      this.latencies.get(kind)?.push(latency);
    } else if (status !== 409) {
      this.failed += 1;
      this.firstFailure ??= `${name}, ${shown()}`;
    }
  }

  result(): MixedResult {
    const rowOf = (times: readonly number[]) => ({ requests: times.length, ...quantilesOf(times) });
    const byKind = Array.from(this.latencies, ([kind, times]) => [kind, rowOf(times)] as const);
    const all = rowOf([...this.latencies.values()].flat());
    return {
      latencies: { ...Object.fromEntries(byKind), all } as MixedResult['latencies'],
      statuses: Object.fromEntries(this.statuses),
      failed: this.failed,
      firstFailure: this.firstFailure,
    };
  }
}
