import { setTimeout as delay } from 'node:timers/promises';
import type { Counters } from '../projection/counters.js';

const POLL_MS = 100;

/**
 * Discards the current generation and waits until a running dashboard has built another. Until then the dashboard answers from the
 * order service. Rejects with instructions if none was being built for `stallTimeoutMs`.
 */
export async function requestRebuild(
  counters: Counters,
  stallTimeoutMs: number,
): Promise<{ discarded: string | null; generation: string }> {
  let { generation: discarded } = await counters.check();
  while (discarded !== null && !(await counters.discard(discarded)))
    ({ generation: discarded } = await counters.check());
  let builtAt = performance.now();
  for (;;) {
    const { generation } = await counters.check();
    if (generation !== null && generation !== discarded) return { discarded, generation };
    // Checked after the generation: while this job was suspended, a rebuild may have been running all the time.
    if (await counters.isBuilding()) builtAt = performance.now();
    else if (performance.now() - builtAt >= stallTimeoutMs) break;
    await delay(POLL_MS);
  }
  throw new Error(
    `no new generation became active, and none was being filled for ${stallTimeoutMs / 1000} s: check that the dashboard service runs and ` +
      'reaches Kafka and this Redis; it then continues automatically',
  );
}
