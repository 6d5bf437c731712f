import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '#local/commands/repair-job.js';
import { vendorOf } from '#local/generator/catalogue.js';
import { SERVICES, type StackFile } from '#local/stack/stack-file.js';
import { progress } from '../lifetime.js';
import { type Batch, allOf, assortmentOf, importAll, sendAll, waitUntilStored } from '../orders.js';
import { type OptionsOf, number, wholeNumber } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';
import { heapOf, usageOf } from '../usage.js';
import { type MemorySample, growthOf } from './growth.js';
import { mixedLoad } from './mix.js';

const SAMPLE_MS = 5_000;
/** Interval between two checks that all orders are stored; the checks must not add to the load. */
const STORED_LOOK_MS = 1_000;

/** `--rate` requests per second. The services warm up during the first five minutes. */
export const OPTIONS = {
  minutes: number(10, 5, 24 * 60),
  rate: number(200, 1, 5_000),
  orders: wholeNumber(20_000, 1, 10_000_000),
};

/** Memory of each process under mixed load at a constant rate, with an import and a rebuild of the dashboard. */
export async function measure({ minutes, rate, orders }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const assortment = assortmentOf({ orders });
  const stack = await BenchStack.start();
  progress(`import ${orders} orders`);
  await importAll(stack, allOf(assortment));
  const codes = Array.from({ length: assortment.vendors }, (_, index) => vendorOf(index).code);
  const vendors = new Map(await Promise.all(codes.map(async (code) => [code, await stack.vendorToken(code)] as const)));
  const { buyer = '', buyer2 = '' } = stack.file.tokens;
  progress(`${rate} requests a second for ${minutes} min`);
  const [stopping, seconds] = [new AbortController(), minutes * 60];
  const [load, samples, effects] = await Promise.all([
    mixedLoad(stack.url, { perSecond: rate, seconds }, { assortment, buyers: [buyer, buyer2], vendors }).finally(() =>
      stopping.abort(),
    ),
    watchMemory(stack.file, stopping.signal),
    importAndRebuild(stack, seconds, allOf(assortment, 2, 1)),
  ]);
  const rows = Object.entries(samples).map(([process, each]) => {
    const { third, last, verdict } = growthOf(each);
    const resident = each.map(({ residentMb }) => residentMb);
    const ends = { start: resident[0], max: Math.max(...resident), end: resident.at(-1) };
    return { process, ...ends, 'retained, third quarter': third, 'last quarter': last, verdict };
  });
  // The memory of stores depends on their work: Java, for example, extends its heap up to the limit before it collects.
  const judged = rows.filter(({ process, verdict }) => verdict === 'ended' || process in stack.file.managementUrls);
  const statuses = Object.entries(load.statuses).map(([status, count]) => `${status}: ${count}`);
  const title = `${rate} requests a second for ${minutes} min on ${orders} orders, ms from when each was due`;
  return {
    tables: [
      { title, rows: load.rows },
      { title: 'Memory in MB: resident, and what remains after collections', rows },
    ],
    notes: [
      `Answers by status: ${statuses.join(', ')}. Failed: ${load.failures.length}`,
      ...load.failures.slice(0, 1),
      effects,
    ],
    failed: load.failures.length > 0 || judged.some(({ verdict }) => verdict !== 'steady'),
    details: samples,
  };
}

/** Imports a newer revision of all orders after a sixth of the time and then rebuilds the dashboard. */
async function importAndRebuild(stack: BenchStack, seconds: number, batch: Batch): Promise<string> {
  // An unreferenced timer: a failed load does not wait for it.
  await delay((seconds * 1000) / 6, undefined, { ref: false });
  progress('import a newer revision of all orders');
  const startedAt = performance.now();
  await waitUntilStored(stack, batch.count, await sendAll(stack, batch), STORED_LOOK_MS);
  const imported = (performance.now() - startedAt) / 1000;
  progress('rebuild the dashboard');
  await rebuildDashboard(stack.file);
  const all = (performance.now() - startedAt) / 1000;
  const hint = all > seconds / 3 ? ', beyond the first half of the run: too few --minutes to tell growth' : '';
  return `Import of a newer revision ${imported.toFixed(1)} s, rebuild ${(all - imported).toFixed(1)} s${hint}`;
}

/** Runs the operator's command. */
export async function rebuildDashboard({ redisUrl }: StackFile): Promise<void> {
  const environment = { REDIS_URL: redisUrl, LOG_LEVEL: 'warn' };
  const status = await runJob('services/dashboard/dist/rebuilding/rebuild.js', [], environment);
  if (status !== 0) throw new Error(`the rebuild of the dashboard ended with ${status}`);
}

/** Samples every process of the stack until the signal. Resolves with the samples by process name. */
async function watchMemory({ pids, managementUrls }: StackFile, signal: AbortSignal) {
  const samples: Record<string, MemorySample[]> = {};
  const startedAt = performance.now();
  const take = (name: string, residentMb: number, retainedMb: number) =>
    (samples[name] ??= []).push({ atS: (performance.now() - startedAt) / 1000, residentMb, retainedMb });
  for (let round = 1; !signal.aborted; round += 1) {
    for (const name of SERVICES) {
      const { heapMb, externalMb } = await heapOf(managementUrls[name][0]);
      take(name, usageOf(pids[name][0] ?? 0).residentMb, heapMb + externalMb);
    }
    for (const name of ['kafka', 'postgres', 'redis'] as const) {
      // Excludes the files mapped by Kafka and PostgreSQL and PostgreSQL's shared buffers, which fill up with data.
      const ownMb = usageOf(pids[name] ?? 0).ownMb;
      if (pids[name] !== null) take(name, ownMb, ownMb);
    }
    const wait = Math.max(0, startedAt + round * SAMPLE_MS - performance.now());
    await delay(wait, undefined, { signal }).catch(() => undefined);
  }
  return samples;
}
