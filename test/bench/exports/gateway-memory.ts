import { setTimeout as delay } from 'node:timers/promises';
import type { StackFile } from '#local/stack/stack-file.js';
import { heapOf } from '../soak/memory.js';
import { usageOf } from '../usage.js';

/** Of the gateway's process, MB. */
export interface GatewayMemory {
  resident: number;
  heap: number;
  external: number;
}

const EVERY_MS = 50;

/** What the gateway has now. */
export async function gatewayMemory({ pids, managementUrls }: StackFile): Promise<GatewayMemory> {
  const { heapUsedMb, externalMb } = await heapOf(managementUrls.gateway[0]);
  const resident = usageOf(pids.gateway[0] ?? 0).residentMb;
  return { resident, heap: heapUsedMb ?? Number.NaN, external: externalMb ?? Number.NaN };
}

/** Does the work, and looks meanwhile: the most that the gateway had of each. */
export async function withPeak<T>(
  stack: StackFile,
  work: () => Promise<T>,
): Promise<{ result: T; peak: GatewayMemory }> {
  const peak = await gatewayMemory(stack);
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const now = await gatewayMemory(stack);
      for (const part of ['resident', 'heap', 'external'] as const) peak[part] = Math.max(peak[part], now[part]);
      await delay(EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  const result = await work().finally(() => ending.abort());
  await watching;
  return { result, peak };
}
