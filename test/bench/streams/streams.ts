import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '../lifetime.js';
import { type RunStart, startOfRun } from '../machine.js';
import { importLoadedOrders } from '../measurements.js';
import { openStack, startLoad } from '../open-stack.js';
import { LOADED_ORDERS } from '../orders.js';
import { measureCpu, measureIdleCpu, usageOf } from '../usage.js';
import type { StreamsOptions } from './options.js';
import { CHANGED_ORDERS, type StreamLatencies } from './stream-latency.js';
import { streamTokens } from './users.js';

/** Longer than every inbox waits to be asked for by itself. */
const IDLE_S = 35;
const SETTLE_MS = 10_000;

/** What the gateway takes while nobody does anything. */
interface Idle {
  streams: number;
  /** Of one core. */
  cpuPercent: number;
  residentMb: number;
}

/** It is what `.local/bench-streams.json` holds. */
export interface StreamsResults extends RunStart {
  options: StreamsOptions;
  idle: Idle[];
  latencies: StreamLatencies;
  /** Under the load of that, of one core. */
  gatewayCpuPercent: number;
  /** The share of the machine's CPU, 0 to 1, that nobody used meanwhile. */
  idleCpu: number;
}

/** Many live streams on one gateway: what they take while nothing happens, and how late they are told of what does. */
export async function measureLiveStreams(options: StreamsOptions): Promise<StreamsResults> {
  const start = startOfRun();
  const { settlement, ...running } = await openStack();
  const { stack } = running;
  const url = stack.gatewayUrl;
  const gateway = stack.pids.gateway[0] ?? 0;
  const load = startLoad();
  await load.aim(stack);
  progress('import orders');
  await importLoadedOrders(stack, settlement, LOADED_ORDERS + CHANGED_ORDERS);
  const idle = [await measureGateway(gateway, 0)];
  progress(`open ${options.open} streams`);
  const tokens = await streamTokens(running, options.open);
  await load.execute({ command: 'open-streams', url, tokens });
  await settlement.settled();
  idle.push(await measureGateway(gateway, options.open));
  const { rate: perSecond, seconds } = options;
  progress(`${perSecond} transitions and ${perSecond} changes a second for ${seconds} s`);
  const startedAt = performance.now();
  const { result, cpuMs } = await measureCpu({ gateway }, () =>
    measureIdleCpu(() => load.execute({ command: 'stream-latency', url, perSecond, seconds })),
  );
  const gatewayCpuPercent = (100 * (cpuMs.gateway ?? 0)) / (performance.now() - startedAt);
  return { ...start, options, idle, latencies: result.result, gatewayCpuPercent, idleCpu: result.idleCpu };
}

async function measureGateway(pid: number, streams: number): Promise<Idle> {
  await delay(SETTLE_MS);
  progress(`${IDLE_S} s of doing nothing`);
  const { cpuMs } = await measureCpu({ gateway: pid }, () => delay(IDLE_S * 1000));
  return { streams, cpuPercent: (cpuMs.gateway ?? 0) / (IDLE_S * 10), residentMb: usageOf(pid).residentMb };
}
