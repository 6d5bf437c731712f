import { WARM_UP_MS, actAtRate } from './acts.js';
import type { LoadTarget } from './commands.js';
import { type Quantiles, quantilesOf } from './quantiles.js';
import type { Requests } from './requests.js';
import { type Sightings, watchEvents } from './sightings.js';

export interface EventLatencies {
  perSecond: number;
  transitions: number;
  errors: number;
  /** From the time a request was due to its answer. */
  answer: Quantiles;
  /** From the answer to where it is seen; below 0 when that was before the answer arrived. */
  topic: Quantiles & { missing: number };
  inbox: Quantiles & { missing: number };
  dashboard: Quantiles & { missing: number };
}

interface Acknowledged {
  historyId: string;
  poNumber: string;
  version: number;
  dueAt: number;
  answeredAt: number;
}

const DRAIN_MS = 10_000;

/**
 * Makes transitions at a constant rate, whatever the answers take (open loop), and measures from each 2xx until its record is on
 * the topic, its notification in the inbox and its order counted by the dashboard.
 */
export async function measureEvents(
  target: LoadTarget,
  url: URL,
  perSecond: number,
  seconds: number,
  requests: Requests,
): Promise<EventLatencies> {
  const sightings = await watchEvents(target);
  try {
    const { acknowledged, errors } = await openLoop(url, perSecond, seconds, requests, sightings);
    await sightings.settled(DRAIN_MS);
    const after = (seenAt: (each: Acknowledged) => number | undefined) => {
      const latencies = acknowledged.flatMap((each) => {
        const at = seenAt(each);
        return at === undefined ? [] : [at - each.answeredAt];
      });
      return { ...quantilesOf(latencies), missing: acknowledged.length - latencies.length };
    };
    return {
      ...{ perSecond, transitions: acknowledged.length, errors },
      answer: quantilesOf(acknowledged.map(({ dueAt, answeredAt }) => answeredAt - dueAt)),
      topic: after(({ historyId }) => sightings.topic.get(historyId)),
      inbox: after(({ historyId }) => sightings.inbox.get(historyId)),
      dashboard: after(({ poNumber, version }) => sightings.dashboard.get(`${poNumber}@${version}`)),
    };
  } finally {
    await sightings.stop();
  }
}

async function openLoop(url: URL, perSecond: number, seconds: number, requests: Requests, sightings: Sightings) {
  const acknowledged: Acknowledged[] = [];
  const errors = await actAtRate<{ historyId: string; version: number }>(url, { perSecond, seconds }, requests, {
    before: ({ poNumber }) => sightings.watch(poNumber),
    done: ({ poNumber, body: { historyId, version }, dueAt, answeredAt, afterMs }) => {
      sightings.expect(historyId, poNumber, version);
      if (afterMs >= WARM_UP_MS) acknowledged.push({ historyId, poNumber, version, dueAt, answeredAt });
    },
  });
  return { acknowledged, errors };
}
