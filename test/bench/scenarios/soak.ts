import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '#local/commands/repair-job.js';
import { vendorOf } from '#local/generator/catalogue.js';
import { SERVICES, type StackFile } from '#local/stack/stack-file.js';
import { progress, stopInTheEnd } from '../lifetime.js';
import type { MixTarget } from '../load/mix.js';
import { LoadProcess } from '../load/process.js';
import { type Batch, allOf, importAll, otherQuantity, sameAgain, sendAll, stored } from '../orders.js';
import { type OptionsOf, assortmentOf, number, whole } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';
import { heapOf, requireProc, usageOf } from '../usage.js';
import { type Growth, type MemorySample, afterWarmUp, growthOf, hasFailed, inTheEnd } from './growth.js';

const SAMPLE_MS = 5_000;
/** Between two looks whether all is stored, which must not add to the load. */
const STORED_LOOK_MS = 1_000;

/** `--rate` requests a second. Less than two minutes give too few samples to tell growth. */
export const OPTIONS = {
  minutes: number(10, 2, 24 * 60),
  rate: number(200, 1, 5_000),
  orders: whole(20_000, 1, 10_000_000),
};

/** The memory of each process under mixed load at a constant rate, with an import and a rebuild of the dashboard. */
export async function measure({ minutes, rate, orders }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  requireProc();
  const assortment = assortmentOf({ orders });
  const stack = await BenchStack.start();
  progress(`import ${orders} orders`);
  await importAll(stack, allOf(assortment, sameAgain(1)));
  const codes = Array.from({ length: assortment.vendors }, (_, index) => vendorOf(index).code);
  const vendors = await Promise.all(codes.map(async (code) => [code, await stack.vendorToken(code)] as const));
  const { buyer = '', buyer2 = '' } = stack.file.tokens;
  const mix: MixTarget = { assortment, buyers: [buyer, buyer2], vendors: Object.fromEntries(vendors) };
  const client = await LoadProcess.start(stack);
  progress(`${rate} requests a second for ${minutes} min`);
  const memory = watchMemory(stack.file);
  stopInTheEnd(async () => void (await memory.stop()));
  const [load, events] = await Promise.all([
    client.execute('mix', { perSecond: rate, seconds: minutes * 60, mix }),
    Promise.all([
      after(minutes / 3, `import a newer revision of ${orders} orders`, () =>
        importNewer(stack, allOf(assortment, otherQuantity(2))),
      ),
      after((2 * minutes) / 3, 'rebuild the dashboard', () => rebuildDashboard(stack.file)),
    ]),
  ]);
  const samples = await memory.stop();
  const growth = Object.fromEntries(Object.entries(samples).map(([name, each]) => [name, growthOf(each)]));
  const statuses = Object.entries(load.statuses).map(([status, count]) => `${status}: ${count}`);
  return {
    tables: [
      {
        title: `${rate} requests a second for ${minutes} min on ${orders} orders, ms from when each was due`,
        rows: load.rows,
      },
      {
        title: 'MB: resident (of stores without files and shared buffers), and the least of heap and external memory',
        rows: Object.entries(growth).map(([name, each]) => memoryRow(name, each, samples[name] ?? [])),
      },
    ],
    notes: [
      `Answers by status: ${statuses.join(', ')}. Failed: ${load.failed}`,
      ...(load.firstFailure === null ? [] : [`  the first: ${load.firstFailure}`]),
      ...events,
    ],
    failed: hasFailed(growth, load.failed),
    details: samples,
  };
}

/** Does the work after so many minutes of the load. */
async function after(minutes: number, what: string, work: () => Promise<unknown>): Promise<string> {
  // Without `ref` a load that failed does not wait for it.
  await delay(minutes * 60_000, undefined, { ref: false });
  progress(what);
  const startedAt = performance.now();
  await work();
  const done = `After ${minutes.toFixed(1)} min: ${what}, in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  progress(done);
  return done;
}

const importNewer = async (stack: BenchStack, batch: Batch): Promise<void> =>
  stored(stack, batch.count, await sendAll(stack, batch), STORED_LOOK_MS);

async function rebuildDashboard({ redisUrl }: StackFile): Promise<void> {
  const environment = { REDIS_URL: redisUrl, LOG_LEVEL: 'warn' };
  const status = await runJob('services/dashboard/dist/rebuilding/rebuild.js', [], environment);
  if (status !== 0) throw new Error(`the rebuild of the dashboard ended with ${status}`);
}

/** Samples every process of the stack from now until `stop`, which resolves with the samples by the process's name. */
function watchMemory({ pids, managementUrls }: StackFile): { stop: () => Promise<Record<string, MemorySample[]>> } {
  const { kafka, postgres, redis } = pids;
  const services = SERVICES.map((name) => ({
    name,
    mb: () => usageOf(pids[name][0] ?? 0).residentMb,
    heap: () => heapOf(managementUrls[name][0]),
  }));
  // Without the files that Kafka and PostgreSQL map, and PostgreSQL's shared buffers: these fill up with data.
  const stores = Object.entries({ kafka, postgres, redis }).flatMap(([name, pid]) =>
    pid === null ? [] : [{ name, mb: () => usageOf(pid).ownMb, heap: () => Promise.resolve({}) }],
  );
  const watched = [...services, ...stores];
  const samples = Object.fromEntries(watched.map(({ name }) => [name, [] as MemorySample[]]));
  const stopping = new AbortController();
  const startedAt = performance.now();
  const watching = (async () => {
    for (let round = 1; !stopping.signal.aborted; round += 1) {
      const atS = (performance.now() - startedAt) / 1000;
      await Promise.all(
        watched.map(async ({ name, mb, heap }) => samples[name]?.push({ atS, mb: mb(), ...(await heap()) })),
      );
      const wait = Math.max(0, startedAt + round * SAMPLE_MS - performance.now());
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  // `stop` rejects with its error.
  watching.catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      return samples;
    },
  };
}

function memoryRow(
  process: string,
  { start, warm, max, end, slope, verdict }: Growth,
  samples: MemorySample[],
): object {
  const least = (part: readonly MemorySample[], of: 'heapUsedMb' | 'externalMb') => {
    const known = part.flatMap((sample) => sample[of] ?? []);
    return known.length === 0 ? '' : Math.min(...known);
  };
  return {
    process,
    start,
    'after warm-up': warm,
    max,
    end,
    'MB/min': slope,
    verdict,
    'heap after warm-up': least(afterWarmUp(samples), 'heapUsedMb'),
    'heap at the end': least(inTheEnd(samples), 'heapUsedMb'),
    'external at the end': least(inTheEnd(samples), 'externalMb'),
  };
}
