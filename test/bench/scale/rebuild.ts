import { Counters } from '@po/dashboard/dist/projection/counters.js';
import { connectProjection } from '@po/dashboard/dist/projection/connection.js';
import { keysUnder } from '@po/dashboard/dist/projection/keys.js';
import { rebuildProjection } from '@po/dashboard/dist/rebuilding/rebuild-projection.js';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import type { StackFile } from '#local/stack/stack-file.js';

const REDIS_TIMEOUT_MS = 5_000;
const PATIENCE_MS = 60_000;
const FILLED_MS = 10 * 60_000;

/** Rebuilds the dashboard, as `npm run rebuild-dashboard` does. */
export function measureRebuild(stack: StackFile): Promise<object> {
  return withCounters(stack, async (counters) => {
    await filled(counters);
    const startedAt = performance.now();
    await rebuildProjection(counters, PATIENCE_MS);
    const seconds = (performance.now() - startedAt) / 1000;
    const kpis = Object.values((await counters.kpis(null)) ?? {});
    const orders = kpis.reduce((sum, count) => sum + count, 0);
    return { what: `${orders} orders counted again by the dashboard`, seconds, 'a second': orders / seconds };
  });
}

/** Resolves when the dashboard has filled its Redis, which is empty after a start. */
export const dashboardFilled = (stack: StackFile): Promise<void> => withCounters(stack, filled);

async function filled(counters: Counters): Promise<void> {
  const inService = async () => (await counters.check()).generation !== null;
  await eventually('the dashboard has counted every order', inService, { timeoutMs: FILLED_MS });
}

async function withCounters<T>({ redisUrl }: StackFile, run: (counters: Counters) => Promise<T>): Promise<T> {
  const redis = connectProjection(redisUrl, createLogger('bench', 'warn'), REDIS_TIMEOUT_MS);
  try {
    return await run(new Counters(redis, keysUnder()));
  } finally {
    redis.disconnect();
  }
}
