import { parseArgs } from 'node:util';
import { numberOf, wholeNumberOf, wholeNumbersOf } from '#local/option-values.js';
import { LOADED_ORDERS } from '../orders.js';

/** A gateway reads two of 24 reply partitions, an order service at least one of 12 with requests: more would have nothing to do. */
const MAX_REPLICAS = 12;

export interface ReplicasOptions {
  /** Numbers of replicas, ascending. */
  replicas: number[];
  orders: number;
  /** Seconds of each measurement. */
  seconds: number;
  connections: number;
}

/** Reads `--replicas 1,2,4 --orders 2000 --seconds 10 --connections 64`. Throws for what cannot be meant. */
export function readReplicasOptions(args: string[]): ReplicasOptions {
  const { values } = parseArgs({
    args,
    options: {
      replicas: { type: 'string', default: '1,2,4' },
      orders: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: '10' },
      connections: { type: 'string', default: '64' },
    },
  });
  const replicas = wholeNumbersOf('replicas', values.replicas, { from: 1, to: MAX_REPLICAS });
  return {
    replicas: [...new Set(replicas)].toSorted((a, b) => a - b),
    orders: wholeNumberOf('orders', values.orders, { from: LOADED_ORDERS, to: 99_999 }),
    seconds: numberOf('seconds', values.seconds, { from: 1, to: 600 }),
    connections: wholeNumberOf('connections', values.connections, { from: 1, to: 256 }),
  };
}
