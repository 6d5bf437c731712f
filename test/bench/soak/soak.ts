import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '#local/commands/repair-job.js';
import { eventually } from '@po/testing/eventually';
import { progress, stopInTheEnd } from '../lifetime.js';
import { type RunStart, startOfRun } from '../machine.js';
import { openStack, startLoad } from '../open-stack.js';
import { allOf, allStored, importAll, otherQuantity, sameAgain, sendAll } from '../scale/prepare.js';
import type { Settlement } from '../settlement.js';
import type { RunningStack } from '../stack-process.js';
import { usageOf } from '../usage.js';
import { type Growth, growthOf } from './growth.js';
import { type MemorySample, watchMemory } from './memory.js';
import type { MixedResult } from './mixed-load.js';
import type { SoakOptions } from './options.js';
import { targetOf } from './users.js';

/** Between two looks whether the import is over: each counts all orders. */
const LOOK_MS = 1_000;
const IMPORT_PATIENCE_MS = 60 * 60_000;

/** Something that happened under the load: seconds from its start. */
interface Happening {
  what: string;
  atS: number;
  tookS: number;
}

/** It is what `.local/bench-soak.json` holds. */
export interface SoakResults extends RunStart {
  options: SoakOptions;
  load: MixedResult;
  happenings: Happening[];
  growth: Record<string, Growth>;
  samples: Record<string, MemorySample[]>;
}

/** Mixed load at a constant rate on many orders, with an import and a rebuild of the dashboard in it, and what memory all takes. */
export async function measureSoak(options: SoakOptions): Promise<SoakResults> {
  if (usageOf(process.pid).residentMb === 0) throw new Error('memory is read from /proc: this takes Linux');
  const start = startOfRun();
  const { assortment, minutes, rate } = options;
  const { settlement, ...running } = await openStack();
  progress(`import ${assortment.orders} orders`);
  await importAll(running.stack, settlement, allOf(assortment, sameAgain(1)));
  const target = await targetOf(running, assortment);
  progress(`${rate} requests a second for ${minutes} min`);
  const seconds = minutes * 60;
  const url = running.stack.gatewayUrl;
  const memory = watchMemory(running.stack);
  stopInTheEnd(async () => void (await memory.stop()));
  const [load, happenings] = await Promise.all([
    startLoad().execute({ command: 'mix', url, perSecond: rate, seconds, target }),
    disturb(running, settlement, options),
  ]);
  const samples = await memory.stop();
  const growth = Object.fromEntries(Object.entries(samples).map(([name, each]) => [name, growthOf(each)]));
  return { ...start, options, load, happenings, growth, samples };
}

/** A newer revision of all orders at a third of the time, and a rebuild of the dashboard at two thirds. */
async function disturb({ stack }: RunningStack, settlement: Settlement, options: SoakOptions): Promise<Happening[]> {
  const { assortment, minutes } = options;
  const startedAt = performance.now();
  const secondsSince = (since: number) => (performance.now() - since) / 1000;
  const happen = async (share: number, what: string, work: () => Promise<unknown>): Promise<Happening> => {
    // Without keeping the process: a load that failed has nothing to wait for.
    await delay(minutes * 60_000 * share, undefined, { ref: false });
    progress(what);
    const begunAt = performance.now();
    await work();
    const happening = { what, atS: (begunAt - startedAt) / 1000, tookS: secondsSince(begunAt) };
    progress(`${what}: took ${happening.tookS.toFixed(1)} s`);
    return happening;
  };
  return Promise.all([
    happen(1 / 3, `import a newer revision of ${assortment.orders} orders`, async () => {
      const newer = allOf(assortment, otherQuantity(2));
      const revision = await sendAll(stack, newer);
      const stored = async () => (await allStored(settlement, newer, revision)) || delay(LOOK_MS, false as const);
      await eventually('the newer revision is stored', stored, { timeoutMs: IMPORT_PATIENCE_MS });
    }),
    happen(2 / 3, 'rebuild the dashboard', async () => {
      const environment = { REDIS_URL: stack.redisUrl, LOG_LEVEL: 'warn' };
      const status = await runJob('dashboard/dist/rebuilding/rebuild.js', [], environment);
      if (status !== 0) throw new Error(`the rebuild of the dashboard ended with ${status}`);
    }),
  ]);
}
