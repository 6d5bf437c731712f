import { Connection } from './connection.js';
import { type Quantiles, quantilesOf } from './quantiles.js';
import type { Requests } from './requests.js';

export interface LoadResult extends Quantiles {
  connections: number;
  /** Answered with 2xx. */
  requests: number;
  /** Answered otherwise, or not at all. */
  errors: number;
  /** The first error's status line or message, for a reader who wonders. */
  firstError: string | null;
  /** Of 2xx answers. */
  requestsPerSecond: number;
}

/** Sends requests over keep-alive connections, spread over the `urls`, one in flight on each, for `seconds`, and measures each answer. */
export async function closedLoop(
  urls: readonly string[],
  connections: number,
  seconds: number,
  requests: Requests,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const failures: string[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const run = async (index: number) => {
    const connection = new Connection(new URL(urls[index % urls.length] ?? ''));
    while (performance.now() < until) {
      const request = requests.next(index);
      const sentAt = performance.now();
      try {
        const { status, body } = await connection.exchange(request.text);
        request.answered(status);
        if (status >= 200 && status <= 299) latencies.push(performance.now() - sentAt);
        else failures.push(`${status} ${body.toString('utf8', 0, 300)}`);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => run(index)));
  const elapsed = (performance.now() - startedAt) / 1000;
  return {
    connections,
    requests: latencies.length,
    errors: failures.length,
    firstError: failures[0] ?? null,
    requestsPerSecond: latencies.length / elapsed,
    ...quantilesOf(latencies),
  };
}
