import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '../lifetime.js';
import { LoadProcess } from '../load/process.js';
import { CHANGED_ORDERS, type StreamTokens } from '../load/streams.js';
import { LOADED_ORDERS, importLoadedOrders } from '../orders.js';
import { type OptionsOf, whole } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';
import { measureCpu, measureIdleCpu, usageOf } from '../usage.js';

/** Longer than the interval in which a gateway queries every inbox. */
const IDLE_S = 35;
const SETTLE_MS = 10_000;
/** Streams of one buyer, the most that a user may have. */
const TABS = 5;
/** One of so many streams is a buyer's. */
const BUYERS = 5;
const USERS_OF_A_VENDOR = 5;

/** `--open` streams on one gateway; `--rate` is of transitions, and of as many PATCHes. */
export const OPTIONS = {
  open: whole(500, TABS * BUYERS, 20_000),
  rate: whole(10, 1, 200),
  seconds: whole(20, 1, 600),
};

/** Many open streams on one gateway: what they cost, and how late they deliver events. */
export async function measure({ open, rate, seconds }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const stack = await BenchStack.start();
  const gateway = stack.file.pids.gateway[0] ?? 0;
  const client = await LoadProcess.start(stack);
  progress('import orders');
  await importLoadedOrders(stack, LOADED_ORDERS + CHANGED_ORDERS);
  const idle = [await measureIdle(gateway, 0)];
  progress(`open ${open} streams`);
  await client.execute('openStreams', await streamTokens(stack, open));
  await stack.settled();
  idle.push(await measureIdle(gateway, open));
  progress(`${rate} transitions and ${rate} changes a second for ${seconds} s`);
  const startedAt = performance.now();
  const { result, cpuMs } = await measureCpu({ gateway }, () =>
    measureIdleCpu(() => client.execute('streams', { perSecond: rate, seconds })),
  );
  const cpuPercent = (100 * (cpuMs.gateway ?? 0)) / (performance.now() - startedAt);
  const { rows, watching, errors, ended } = result.result;
  return {
    tables: [
      { title: 'The gateway without requests: percent of a core, resident MB', rows: idle },
      {
        title: `${open} streams, ${rate} transitions and ${rate} changes a second: ms from the 2xx to each of ${watching} streams`,
        rows,
      },
    ],
    notes: [
      `Gateway: ${cpuPercent.toFixed(0)} % of a core; of the machine ${(100 * result.idleCpu).toFixed(0)} % idle.`,
      `Errors: ${errors}; streams that ended: ${ended}`,
    ],
  };
}

async function measureIdle(gateway: number, streams: number): Promise<object> {
  await delay(SETTLE_MS);
  progress(`idle for ${IDLE_S} s`);
  const { cpuMs } = await measureCpu({ gateway }, () => delay(IDLE_S * 1000));
  return { streams, 'CPU %': (cpuMs.gateway ?? 0) / (IDLE_S * 10), 'resident MB': usageOf(gateway).residentMb };
}

/** A fifth is of buyers with five streams each, the rest of vendors with five users each. */
async function streamTokens(stack: BenchStack, open: number): Promise<StreamTokens> {
  const buyers = Math.floor(open / BUYERS);
  const buyer = (tab: number) => {
    const sub = `stream-buyer-${Math.floor(tab / TABS)}`;
    return stack.token('buyer', { sub, email: `${sub}@example.com` });
  };
  const vendor = (user: number) =>
    stack.vendorToken(`STREAM-${Math.floor(user / USERS_OF_A_VENDOR)}`, `stream-vendor-${user}`);
  return {
    buyers: await Promise.all(Array.from({ length: buyers }, (_, tab) => buyer(tab))),
    vendors: await Promise.all(Array.from({ length: open - buyers }, (_, user) => vendor(user))),
  };
}
