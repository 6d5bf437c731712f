import type { Answer } from '../faults/http.js';
import type { World } from '../faults/world.js';

interface Exchange {
  /** Method, path and gateway. */
  call: string;
  ms: number;
  /** Null for a success. A failure is no response, status 5xx or 401. */
  failure: string | null;
}

/** Records the duration and the failure of every gateway call during a scenario. */
export class Figures {
  private exchanges: Exchange[] = [];

  constructor(world: World) {
    const { call } = world;
    world.call = async (gateway, user, asked) => {
      const startedAt = performance.now();
      const answer = await call(gateway, user, asked);
      const what = `${asked.method} ${asked.path} at gateway ${gateway}`;
      this.exchanges.push({ call: what, ms: performance.now() - startedAt, failure: failureOf(answer) });
      return answer;
    };
  }

  /** Discards the recorded calls. */
  start(): void {
    this.exchanges = [];
  }

  get failures(): string[] {
    return this.exchanges.flatMap(({ call, failure }) => (failure === null ? [] : `${call}: ${failure}`));
  }

  /** Share of failed calls, from 0 to 1. */
  get failedShare(): number {
    return this.failures.length / Math.max(1, this.exchanges.length);
  }

  /** Number of failures of each kind, most frequent first. */
  kinds(): string[] {
    const kinds = Map.groupBy(this.exchanges, ({ failure }) => failure);
    return [...kinds]
      .filter(([failure]) => failure !== null)
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([failure, { length }]) => `  ${length} x ${failure}`);
  }

  summary(): string {
    const times = this.exchanges.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0);
    return `${this.failures.length} of ${times.length} requests failed, latency p50 ${at(0.5)}, p99 ${at(0.99)}, maximum ${at(1)} ms`;
  }
}

function failureOf(answer: Answer | Error): string | null {
  if (answer instanceof Error) return answer.message;
  // A 401 is a failure too, because every user has a valid token.
  return answer.status < 500 && answer.status !== 401
    ? null
    : `${answer.status} ${(answer.body as { code?: string }).code ?? ''}`;
}
