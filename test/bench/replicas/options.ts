import { parseArgs } from 'node:util';
import { LOADED_ORDERS } from '../orders.js';

/** A gateway reads two of 24 reply partitions, an order service at least one of 12 with requests: more would have nothing to do. */
const MOST_REPLICAS = 12;

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
  const replicas = values.replicas.split(',').map(Number);
  if (!replicas.every((count) => Number.isInteger(count) && count >= 1 && count <= MOST_REPLICAS)) {
    throw new Error(
      `--replicas takes numbers from 1 to ${MOST_REPLICAS}, separated by commas, not "${values.replicas}"`,
    );
  }
  const orders = Number(values.orders);
  if (!(Number.isInteger(orders) && orders >= LOADED_ORDERS && orders <= 99_999)) {
    throw new Error(`--orders takes a whole number from ${LOADED_ORDERS} to 99999, not "${values.orders}"`);
  }
  const seconds = Number(values.seconds);
  if (!(seconds >= 1 && seconds <= 600))
    throw new Error(`--seconds takes a number from 1 to 600, not "${values.seconds}"`);
  const connections = Number(values.connections);
  if (!(Number.isInteger(connections) && connections >= 1 && connections <= 256)) {
    throw new Error(`--connections takes a whole number from 1 to 256, not "${values.connections}"`);
  }
  return { replicas: [...new Set(replicas)].toSorted((a, b) => a - b), orders, seconds, connections };
}
