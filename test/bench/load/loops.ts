import { setTimeout as delay } from 'node:timers/promises';
import { type Quantiles, quantilesOf } from '../report.js';
import { type Answer, Connection } from './connection.js';
import type { Request, Requests } from './requests.js';

export interface LoadResult extends Quantiles {
  connections: number;
  /** Number of 2xx answers. */
  requests: number;
  /** Number of other answers and of requests without an answer. */
  errors: number;
  /** Status and body, or the message, of the first error. */
  firstError: string | null;
  /** Latencies of 2xx answers. */
  requestsPerSecond: number;
}

/** A request with its answer or error; times are `performance.now()`. */
type Exchange<R extends Request> = { request: R; answer: Answer | Error; answeredAt: number };

async function exchange<R extends Request>(connection: Connection, request: R): Promise<Exchange<R>> {
  const answer = await connection.exchange(request.text).catch((error: Error) => error);
  const answeredAt = performance.now();
  if (!(answer instanceof Error)) request.answered?.(answer.status, answer.body.toString('utf8'));
  return { request, answer, answeredAt };
}

/** Status and body, or the error's message; null for a 2xx. */
export function failureOf(answer: Answer | Error): string | null {
  if (answer instanceof Error) return answer.message;
  const isSuccess = answer.status >= 200 && answer.status <= 299;
  return isSuccess ? null : `${answer.status} ${answer.body.toString('utf8', 0, 300)}`;
}

/** Sends requests over keep-alive connections, spread over the `urls`, one in flight on each, for a duration or a number of requests. */
export async function closedLoop(
  load: { urls: readonly string[]; connections: number; seconds?: number; times?: number },
  requests: Requests,
): Promise<LoadResult> {
  const { urls, connections, seconds = Infinity, times = Infinity } = load;
  const latencies: number[] = [];
  const failures: string[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  let sent = 0;
  const run = async (index: number) => {
    const connection = new Connection(new URL(urls[index % urls.length] ?? ''));
    while (sent < times && performance.now() < until) {
      sent += 1;
      const sentAt = performance.now();
      const { answer, answeredAt } = await exchange(connection, requests(index));
      const failure = failureOf(answer);
      if (failure === null) latencies.push(answeredAt - sentAt);
      else failures.push(failure);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => run(index)));
  const requestsPerSecond = (1000 * latencies.length) / (performance.now() - startedAt);
  const [errors, firstError] = [failures.length, failures[0] ?? null];
  return { connections, requests: latencies.length, errors, firstError, requestsPerSecond, ...quantilesOf(latencies) };
}

export interface Rate {
  perSecond: number;
  seconds: number;
}

/** More connections than requests in flight at any rate that one machine sustains, so that no request waits for a connection. */
const LANES = 256;

/** Open loop: sends each request when it is due. Latencies count from the due time. Resolves when all are answered. */
export async function openLoop<R extends Request>(
  { url, perSecond, isOver }: { url: string; perSecond: number; isOver: (sent: number) => boolean },
  next: (lane: number) => R,
  take: (exchange: Exchange<R> & { dueAt: number }) => void,
): Promise<void> {
  const connections = Array.from({ length: LANES }, () => new Connection(new URL(url)));
  const queues = connections.map(() => Promise.resolve());
  const startedAt = performance.now();
  for (let index = 0; !isOver(index); index += 1) {
    const dueAt = startedAt + (index * 1000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await delay(early);
    const lane = index % LANES;
    const queue = (queues[lane] as Promise<void>).then(async () =>
      take({ ...(await exchange(connections[lane] as Connection, next(lane))), dueAt }),
    );
    // The caller handles the rejection below; this avoids an unhandled rejection until then.
    void queue.catch(() => undefined);
    queues[lane] = queue;
  }
  await Promise.all(queues);
  for (const connection of connections) connection.close();
}

/** A write answered with 200; times are `performance.now()`. */
export interface Write<Body> {
  poNumber: string;
  body: Body;
  answeredAt: number;
}

const WARM_UP_S = 2;

/** Writes at a constant rate. Resolves with the writes after the warm-up and the number of failed ones. */
export async function writeAtRate<Body>(
  url: string,
  { perSecond, seconds }: Rate,
  requests: Requests,
): Promise<{ writes: Write<Body>[]; errors: number }> {
  const writes: Write<Body>[] = [];
  let errors = 0;
  const from = performance.now() + WARM_UP_S * 1000;
  const total = Math.round(perSecond * (WARM_UP_S + seconds));
  await openLoop({ url, perSecond, isOver: (sent) => sent >= total }, requests, (each) => {
    const { request, answer, dueAt, answeredAt } = each;
    if (answer instanceof Error || answer.status !== 200) {
      errors += 1;
    } else if (dueAt >= from) {
      const body = JSON.parse(answer.body.toString('utf8')) as Body;
      writes.push({ poNumber: request.poNumber ?? '', body, answeredAt });
    }
  });
  return { writes, errors };
}

/** Milliseconds from each answer until its effect was visible, by place; `missing` counts the effects that never appeared. */
export function effectsOf<Body>(
  writes: readonly Write<Body>[],
  seenAt: (write: Write<Body>) => readonly (number | undefined)[],
): Quantiles & { events: number; missing: number } {
  const all = writes.flatMap((write) => seenAt(write).map((at) => (at ?? Number.NaN) - write.answeredAt));
  const seen = all.filter((each) => !Number.isNaN(each));
  return { ...quantilesOf(seen), events: seen.length, missing: all.length - seen.length };
}
