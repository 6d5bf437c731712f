import { progress, stopInTheEnd } from '../lifetime.js';
import { type RunStart, startOfRun } from '../machine.js';
import { type Measured, importLoadedOrders, measureRequests } from '../measurements.js';
import { startLoad } from '../open-stack.js';
import { ReplicatedStack } from '../replicas/replicated-stack.js';
import { openSettlement } from '../settlement.js';
import { startCollector } from './collector.js';
import type { TracesOptions } from './options.js';
import { type Side, sidesOf } from './sides.js';

/** After each start, of each kind, before anything is counted. */
const WARM_UP_S = 5;
const KINDS = ['get', 'transition'] as const;

export interface TracesRow extends Measured {
  kind: (typeof KINDS)[number];
  side: Side['name'];
  /** Bytes a request that were sent to the collector. */
  sentBytes: number;
}

/** It is what `.local/bench-traces.json` holds. */
export interface TracesResults extends RunStart {
  options: TracesOptions;
  rows: TracesRow[];
}

/** The same load on the same stores and orders without traces, with some of them and with all. */
export async function measureTraces(options: TracesOptions): Promise<TracesResults> {
  const results: TracesResults = { ...startOfRun(), options, rows: [] };
  const { rounds, seconds, connections, before } = options;
  const collector = await startCollector();
  stopInTheEnd(collector.close);
  progress('start the stack');
  const starting = ReplicatedStack.start(1);
  stopInTheEnd(starting.stop);
  const stack = await starting.ready;
  const settlement = await openSettlement(stack.file());
  stopInTheEnd(settlement.close);
  const load = startLoad();
  await load.aim(stack.file());
  await importLoadedOrders(stack.file(), settlement);
  for (let round = 0; round < rounds; round += 1) {
    for (const { name: side, environment, build } of sidesOf(before, collector.url, round)) {
      await stack.restart(environment, build);
      const { gatewayUrls: urls, pids } = stack.file();
      for (const kind of KINDS) {
        await load.execute({ command: 'load', kind, urls, connections, seconds: WARM_UP_S });
        await settlement.settled();
        const sentBefore = collector.bytes();
        const { gateway, purchaseOrders, notifications, dashboard } = pids;
        const processes = { gateway, 'purchase-orders': purchaseOrders, 'fan-out': [...notifications, ...dashboard] };
        const measured = await measureRequests({ load, settlement }, { kind, urls, connections, seconds }, processes);
        const sentBytes = (collector.bytes() - sentBefore) / measured.requests;
        results.rows.push({ kind, side, ...measured, sentBytes });
        progress(`round ${round + 1}, ${side}, ${kind}: ${measured.requestsPerSecond.toFixed(0)} a second`);
      }
    }
  }
  return results;
}
