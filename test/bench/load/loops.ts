import { setTimeout as delay } from 'node:timers/promises';
import { type Quantiles, quantilesOf } from '../report.js';
import { Connection } from './connection.js';
import type { Request, Requests } from './requests.js';

export interface LoadResult extends Quantiles {
  connections: number;
  /** Answered with 2xx. */
  requests: number;
  /** Answered otherwise, or not at all. */
  errors: number;
  /** Status and body, or the message, of the first error. */
  firstError: string | null;
  /** Of 2xx answers. */
  requestsPerSecond: number;
}

/** Sends requests over keep-alive connections, spread over the `urls`, one in flight on each, for `seconds`. */
export async function closedLoop(
  { urls, connections, seconds }: { urls: readonly string[]; connections: number; seconds: number },
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

/** Calls of `timed` that are not measured. */
export const WARM_UP = 5;

/** Does something; `nth` counts from 0, calls that are not measured included. */
export type Call = (nth: number, lane: number) => Promise<unknown>;

/** Makes so many calls, one at a time on each lane, and measures each. `before` runs before each call and is not measured. */
export async function timed(times: number, call: Call, before?: Call, lanes = 1): Promise<Quantiles> {
  const latencies: number[] = [];
  let next = 0;
  const run = async (lane: number, end: number) => {
    while (next < end) {
      const nth = next;
      next += 1;
      await before?.(nth, lane);
      const startedAt = performance.now();
      await call(nth, lane);
      if (nth >= WARM_UP) latencies.push(performance.now() - startedAt);
    }
  };
  await run(0, WARM_UP);
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane, WARM_UP + times)));
  return quantilesOf(latencies);
}

/** One request of a load at a constant rate. */
export interface Turn {
  /** Requests of one lane follow each other; with more lanes than are ever in flight none waits. */
  lane: number;
  /** By `performance.now()`: latencies count from here, whenever the request is sent. */
  dueAt: number;
  /** When it is due after the first one. */
  afterMs: number;
}

export interface Rate {
  perSecond: number;
  seconds: number;
}

/** Takes each turn when it is due, however long the ones before take (open loop); resolves when all are over. */
export async function atConstantRate(
  { perSecond, seconds }: Rate,
  lanes: number,
  take: (turn: Turn) => Promise<void>,
): Promise<void> {
  const queues = Array.from({ length: lanes }, () => Promise.resolve());
  const startedAt = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let index = 0; index < total; index += 1) {
    const afterMs = (index * 1000) / perSecond;
    const dueAt = startedAt + afterMs;
    const early = dueAt - performance.now();
    if (early > 0) await delay(early);
    const lane = index % lanes;
    queues[lane] = (queues[lane] as Promise<void>).then(() => take({ lane, dueAt, afterMs }));
  }
  await Promise.all(queues);
}

/** A write that was answered with 200; times by `performance.now()`. */
export interface Write<Body> {
  poNumber: string;
  body: Body;
  dueAt: number;
  answeredAt: number;
}

interface WriteHooks<Body> {
  /** Before each write is sent. */
  before?: (request: Request) => void;
  /** After each answer, those of the warm-up included. */
  answered?: (write: Write<Body>) => void;
}

const WARM_UP_MS = 2_000;
const LANES = 64;

/** Writes at a constant rate (open loop); resolves with the writes after the warm-up, and how many failed. */
export async function writeAtRate<Body>(
  url: URL,
  { perSecond, seconds }: Rate,
  requests: Requests,
  { before, answered }: WriteHooks<Body> = {},
): Promise<{ writes: Write<Body>[]; errors: number }> {
  const connections = Array.from({ length: LANES }, () => new Connection(url));
  const writes: Write<Body>[] = [];
  let errors = 0;
  await atConstantRate({ perSecond, seconds: seconds + WARM_UP_MS / 1000 }, LANES, async ({ lane, dueAt, afterMs }) => {
    const request = requests.next(lane);
    before?.(request);
    try {
      const { status, body } = await (connections[lane] as Connection).exchange(request.text);
      const answeredAt = performance.now();
      request.answered(status);
      if (status !== 200) throw new Error(`answered ${status}`);
      const { poNumber } = request;
      const write = { poNumber, body: JSON.parse(body.toString('utf8')) as Body, dueAt, answeredAt };
      answered?.(write);
      if (afterMs >= WARM_UP_MS) writes.push(write);
    } catch {
      errors += 1;
    }
  });
  for (const connection of connections) connection.close();
  return { writes, errors };
}

/** Milliseconds from each answer until its effect was seen, at each place that may see it; `missing` were not seen. */
export function effectsOf<Body>(
  writes: readonly Write<Body>[],
  seenAt: (write: Write<Body>) => readonly (number | undefined)[],
): Quantiles & { events: number; missing: number } {
  const all = writes.flatMap((write) => seenAt(write).map((at) => (at ?? Number.NaN) - write.answeredAt));
  const seen = all.filter((each) => !Number.isNaN(each));
  return { ...quantilesOf(seen), events: seen.length, missing: all.length - seen.length };
}
