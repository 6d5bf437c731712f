import type { StackFile } from '#local/stack/stack-file.js';
import { progress, stopInTheEnd } from '../lifetime.js';
import type { LoadKind } from '../load/commands.js';
import type { LoadProcess } from '../load/load-process.js';
import { type RunStart, startOfRun } from '../machine.js';
import { type Measured, importLoadedOrders, measureRequests } from '../measurements.js';
import { startLoad } from '../open-stack.js';
import { openSettlement } from '../settlement.js';
import { type Configuration, configurationsOf } from './configurations.js';
import type { ReplicasOptions } from './options.js';
import { ReplicatedStack } from './replicated-stack.js';

/** Of each kind, before anything is counted: the programs of the stores get faster as they learn what they are used for. */
const WARM_UP_S = 15;

const KINDS: readonly LoadKind[] = ['get', 'list', 'transition'];

export interface ReplicasRow extends Configuration, Measured {
  kind: LoadKind;
}

/** It is what `.local/bench-replicas.json` holds. */
export interface ReplicasResults extends RunStart {
  options: ReplicasOptions;
  rows: ReplicasRow[];
}

/** The same load on ever more replicas of the gateway and of the order service, over the same stores and orders. */
export async function measureReplicas(options: ReplicasOptions): Promise<ReplicasResults> {
  const results: ReplicasResults = { ...startOfRun(), options, rows: [] };
  const { replicas, orders, connections, seconds } = options;
  const most = Math.max(...replicas);
  progress(`start the stack with ${most} replicas of each service`);
  const starting = ReplicatedStack.start(most);
  stopInTheEnd(starting.stop);
  const stack = await starting.ready;
  const settlement = await openSettlement(stack.file());
  stopInTheEnd(settlement.close);
  const load = startLoad();
  await load.aim(stack.file());
  progress(`import ${orders} orders`);
  await importLoadedOrders(stack.file(), settlement, orders);
  progress('warm up');
  const { gatewayUrls: all } = stack.file();
  for (const kind of KINDS) await load.execute({ command: 'load', kind, urls: all, connections, seconds: WARM_UP_S });
  for (const configuration of configurationsOf(replicas)) {
    const { gatewayUrls: urls, pids } = await stack.resize(configuration);
    await settlement.settled();
    for (const kind of KINDS) {
      const requests = { kind, urls, connections, seconds };
      const measured = await measureRequests({ load, settlement }, requests, groupsOf(pids, load));
      results.rows.push({ kind, ...configuration, ...measured });
      const { gateways, orders: services } = configuration;
      progress(`${gateways} x ${services}, ${kind}: ${measured.requestsPerSecond.toFixed(0)} a second`);
    }
  }
  return results;
}

/** Whose CPU time is told apart. The outbox relay runs in the order services. */
function groupsOf(pids: StackFile['pids'], load: LoadProcess): Record<string, number[]> {
  const { gateway, purchaseOrders, notifications, dashboard, kafka, postgres, redis } = pids;
  const known = (...some: readonly (number | null)[]) => some.filter((pid) => pid !== null);
  return {
    ...{ gateways: gateway, orders: purchaseOrders, fanOut: known(...notifications, ...dashboard, redis) },
    ...{ kafka: known(kafka), postgres: known(postgres), load: [load.pid] },
  };
}
