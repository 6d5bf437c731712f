import { setTimeout as delay } from 'node:timers/promises';
import { type Act, WARM_UP_MS, actAtRate } from '../load/acts.js';
import { type Quantiles, quantilesOf } from '../load/quantiles.js';
import { type Request, type Requests, requestText } from '../load/requests.js';
import { LOADED_ORDERS, poNumber } from '../orders.js';
import type { Watched, WatchedStreams } from './watched-streams.js';

/** Orders that are changed and stay where they are: those after the ones that transitions are made of. */
export const CHANGED_ORDERS = 64;
const DRAIN_MS = 5_000;

/** From an act's 2xx to its event at each stream that is told of it. */
interface Told extends Quantiles {
  acts: number;
  /** Acts times the streams that saw them. */
  events: number;
  /** Not seen within 5 s of the last act. */
  missing: number;
}

export interface StreamLatencies {
  perSecond: number;
  watching: number;
  errors: number;
  ended: number;
  notification: Told;
  changed: Told;
}

/** PATCH of another comment, as the vendor, of each connection's own order. */
class ChangeRequests implements Requests {
  private changes = 0;

  constructor(private readonly token: string) {}

  next(connection: number): Request {
    const number = poNumber(LOADED_ORDERS + (connection % CHANGED_ORDERS));
    const body = { vendor_reply_comment: `change ${(this.changes += 1)}` };
    const text = requestText('PATCH', `/api/purchase-orders/${number}`, this.token, body);
    return { text, poNumber: number, answered: () => undefined };
  }
}

/** Transitions and changes without one at the same constant rate, and when each arrived at every stream that is told of it. */
export async function measureStreams(
  url: URL,
  rate: { perSecond: number; seconds: number },
  transitions: Requests,
  vendorToken: string,
  streams: WatchedStreams,
): Promise<StreamLatencies> {
  const moved: Act<{ historyId: string }>[] = [];
  const changed: Act<{ version: number }>[] = [];
  const keep =
    <Body>(acts: Act<Body>[]) =>
    (act: Act<Body>) => {
      if (act.afterMs >= WARM_UP_MS) acts.push(act);
    };
  const errors = await Promise.all([
    actAtRate<{ historyId: string }>(url, rate, transitions, { done: keep(moved) }),
    actAtRate<{ version: number }>(url, rate, new ChangeRequests(vendorToken), { done: keep(changed) }),
  ]);
  await delay(DRAIN_MS);
  return {
    perSecond: rate.perSecond,
    ...{ watching: streams.watched.length, ended: streams.ended },
    errors: errors.reduce((sum, count) => sum + count, 0),
    notification: told(moved, streams, ({ notifications }, { body }) => notifications.get(body.historyId)),
    changed: told(
      changed,
      streams,
      // A newer version tells of it, too.
      ({ versions }, act) => versions.get(act.poNumber)?.find(({ version }) => version >= act.body.version)?.at,
    ),
  };
}

function told<Body>(
  acts: readonly Act<Body>[],
  { watched }: WatchedStreams,
  seenAt: (stream: Watched, act: Act<Body>) => number | undefined,
): Told {
  const latencies = acts.flatMap((act) =>
    watched.flatMap((stream) => {
      const at = seenAt(stream, act);
      return at === undefined ? [] : [at - act.answeredAt];
    }),
  );
  const missing = acts.length * watched.length - latencies.length;
  return { ...quantilesOf(latencies), acts: acts.length, events: latencies.length, missing };
}
