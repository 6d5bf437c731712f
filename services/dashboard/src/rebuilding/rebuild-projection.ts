import { setTimeout as delay } from 'node:timers/promises';
import type { Counters } from '../projection/counters.js';

const LOOK_EVERY_MS = 100;

/**
 * Takes the generation that answers out of service, and waits until a running dashboard has put another one in its place; until
 * then it answers from the purchase-order service. Rejects, saying what to look at, when none came within `timeoutMs`.
 */
export async function rebuildProjection(
  counters: Counters,
  timeoutMs: number,
): Promise<{ discarded: string | null; generation: string }> {
  const deadline = performance.now() + timeoutMs;
  let { generation: discarded } = await counters.check();
  while (discarded !== null && !(await counters.discard(discarded)))
    ({ generation: discarded } = await counters.check());
  while (performance.now() < deadline) {
    const { generation } = await counters.check();
    if (generation !== null && generation !== discarded) return { discarded, generation };
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(
    `no new generation came into service within ${timeoutMs / 1000} s: does the dashboard service run, and does it reach Kafka ` +
      'and this Redis? It goes on by itself when it does',
  );
}
