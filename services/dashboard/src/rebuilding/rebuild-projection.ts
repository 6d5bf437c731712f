import { setTimeout as delay } from 'node:timers/promises';
import type { Counters } from '../projection/counters.js';

const LOOK_EVERY_MS = 100;

/**
 * Takes the generation that answers out of service, and waits until a running dashboard has put another one in its place; until
 * then it answers from the purchase-order service. Rejects, saying what to look at, when none was built for `patienceMs`.
 */
export async function rebuildProjection(
  counters: Counters,
  patienceMs: number,
): Promise<{ discarded: string | null; generation: string }> {
  let { generation: discarded } = await counters.check();
  while (discarded !== null && !(await counters.discard(discarded)))
    ({ generation: discarded } = await counters.check());
  let builtAt = performance.now();
  for (;;) {
    const { generation } = await counters.check();
    if (generation !== null && generation !== discarded) return { discarded, generation };
    // After a look: while this job itself was suspended, one may have been built all the time.
    if (await counters.isBuilding()) builtAt = performance.now();
    else if (performance.now() - builtAt >= patienceMs) break;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(
    `no new generation came into service, and for ${patienceMs / 1000} s none was filled: does the dashboard service run, and does it reach Kafka ` +
      'and this Redis? It goes on by itself when it does',
  );
}
