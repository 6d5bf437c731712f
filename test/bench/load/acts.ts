import { Connection } from './connection.js';
import { type Turn, atConstantRate } from './constant-rate.js';
import type { Request, Requests } from './requests.js';

/** A write that was answered with 200; times on the clock of `performance.now()`. */
export interface Act<Body> {
  poNumber: string;
  body: Body;
  dueAt: number;
  answeredAt: number;
  /** When it was due after the first one. */
  afterMs: number;
}

interface Told<Body> {
  /** Before it is sent. */
  before?: (request: Request) => void;
  /** In the order of the answers. */
  done: (act: Act<Body>) => void;
}

/** Due in this first time, requests warm the path up and are not counted. */
export const WARM_UP_MS = 2_000;
const LANES = 64;

/** Writes at a constant rate, whatever the answers take (open loop), the time to warm up first; resolves with how many failed. */
export async function actAtRate<Body>(
  url: URL,
  { perSecond, seconds }: { perSecond: number; seconds: number },
  requests: Requests,
  { before, done }: Told<Body>,
): Promise<number> {
  const connections = Array.from({ length: LANES }, () => new Connection(url));
  let errors = 0;
  const one = async ({ lane, dueAt, afterMs }: Turn) => {
    const request = requests.next(lane);
    before?.(request);
    try {
      const { status, body } = await (connections[lane] as Connection).exchange(request.text);
      const answeredAt = performance.now();
      request.answered(status);
      if (status !== 200) throw new Error(`answered ${status}`);
      const { poNumber } = request;
      done({ poNumber, body: JSON.parse(body.toString('utf8')) as Body, dueAt, answeredAt, afterMs });
    } catch {
      errors += 1;
    }
  };
  await atConstantRate({ perSecond, seconds: seconds + WARM_UP_MS / 1000, lanes: LANES }, one);
  for (const connection of connections) connection.close();
  return errors;
}
