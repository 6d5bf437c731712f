import { setTimeout as delay } from 'node:timers/promises';
import { EventStream, type StreamEvent } from '@po/testing/event-stream';
import { progress } from '../lifetime.js';
import { type Write, effectsOf, writeAtRate } from '../load/loops.js';
import { loadsOf } from '../load/requests.js';
import { importLoadedOrders } from '../orders.js';
import { type OptionsOf, wholeNumber } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';
import { measureCpu, usageOf } from '../usage.js';

/** Longer than the interval at which a gateway polls every inbox. */
const IDLE_S = 35;
const DRAIN_MS = 5_000;
/** Streams of one user (the maximum), and users of a vendor. */
const TABS = 5;
/** One in this many streams belongs to a buyer. */
const BUYERS = 5;
/** Streams opened in parallel. */
const CONCURRENCY = 50;

/** `--open` streams on one gateway, `--rate` transitions per second. */
export const OPTIONS = {
  open: wholeNumber(500, TABS * BUYERS, 20_000),
  rate: wholeNumber(10, 1, 200),
  seconds: wholeNumber(20, 1, 600),
};

type Transition = Write<{ historyId: string; version: number }>;

/** Cost of many open streams on one gateway, and the latency of their events. */
export async function measure({ open, rate, seconds }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const stack = await BenchStack.start();
  const gateway = stack.file.pids.gateway[0] ?? 0;
  progress('import orders');
  await importLoadedOrders(stack);
  const idle = [await measureIdle(gateway, 0)];
  progress(`open ${open} streams`);
  const streams = await openStreams(stack, open);
  await stack.settled();
  idle.push(await measureIdle(gateway, open));
  progress(`${rate} transitions a second for ${seconds} s`);
  const { result, idleCpu } = await measureCpu({}, () =>
    writeAtRate<Transition['body']>(stack.url, { perSecond: rate, seconds }, loadsOf(stack.file).transition),
  );
  await delay(DRAIN_MS);
  const { received, ended } = streams;
  const effects = (keyOf: (write: Transition) => string) =>
    effectsOf(result.writes, (write) => received.map((seen) => seen.get(keyOf(write))));
  const title = `${open} streams, ${rate} transitions a second: ms from the 2xx to each of ${received.length} streams`;
  return {
    tables: [
      { title: 'The gateway without requests: percent of a core, resident MB', rows: idle },
      {
        title,
        rows: [
          { event: 'notification', ...effects(({ body }) => body.historyId) },
          { event: 'po-changed', ...effects(({ poNumber, body }) => `${poNumber}@${body.version}`) },
        ],
      },
    ],
    notes: [
      `Errors: ${result.errors}; streams that ended: ${ended}; of the machine ${(100 * idleCpu).toFixed(0)} % idle`,
    ],
  };
}

async function measureIdle(gateway: number, streams: number): Promise<object> {
  await delay(10_000);
  progress(`idle for ${IDLE_S} s`);
  const { cpuMs } = await measureCpu({ gateway }, () => delay(IDLE_S * 1000));
  return { streams, 'CPU %': (cpuMs.gateway ?? 0) / (IDLE_S * 10), 'resident MB': usageOf(gateway).residentMb };
}

/**
 * Opens streams: a fifth for buyers with five each, the rest for vendors with five users each. Resolves with the events of each
 * buyer's stream by history id and by `<po number>@<version>`, and with the number of ended streams. Rejects if one is refused.
 */
async function openStreams(stack: BenchStack, count: number) {
  const opened = { received: [] as Map<string, number>[], ended: 0 };
  const add = async (index: number) => {
    const user = `stream-${Math.floor(index / TABS)}`;
    const isBuyer = index < Math.floor(count / BUYERS);
    const token = isBuyer
      ? await stack.token('buyer', { sub: user, email: `${user}@example.com` })
      : await stack.vendorToken(user, `stream-vendor-${index}`);
    const seen = new Map<string, number>();
    if (isBuyer) opened.received.push(seen);
    const onEvent = ({ name, data, at }: StreamEvent) => {
      const { historyId, poRef, version } = data as Record<string, string>;
      if (name === 'notification') seen.set(`${historyId}`, at);
      if (name === 'po-changed') seen.set(`${poRef}@${version}`, at);
    };
    const stream = await EventStream.open({ gatewayUrl: stack.url, token, onEvent });
    if (stream.status !== 200) throw new Error(`a stream was answered ${stream.status}`);
    void stream.ended.then(() => (opened.ended += 1));
  };
  for (let first = 0; first < count; first += CONCURRENCY) {
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count - first) }, (_, index) => add(first + index)));
  }
  return opened;
}
