import type { Stores } from '../../deploy/local/stores/infrastructure.js';
import { proxiesTo } from '../faults/routes.js';
import { type World, type WorldOptions, openWorld } from '../faults/world.js';
import type { TcpProxy } from '@po/testing/tcp-proxy';
import { Figures } from './figures.js';

export const BROKERS = 3;
/** Kafka's default session timeout, after which a silent broker loses its partitions. */
const BROKER_SESSION_MS = 9_000;

/** Three brokers, two replicas of every service, and users at work. */
export interface ClusterWorld extends World {
  addresses: string;
  figures: Figures;
  /** Between the services and the proxied stores. */
  proxies: [TcpProxy, ...TcpProxy[]];
}

export const brokersOf = ({ kafkaBrokers }: Stores): URL[] =>
  kafkaBrokers.split(',').map((address) => new URL(`tcp://${address}`));

const lastBroker = (stores: Stores): URL[] => brokersOf(stores).slice(-1);

/** `proxied` returns the addresses that services reach only through proxies; by default, the broker with the highest id. */
export async function openClusterWorld(seed: number, proxied = lastBroker, more?: WorldOptions): Promise<ClusterWorld> {
  let proxies: TcpProxy[] = [];
  const prepare = async (stores: Stores, dir: string) => {
    proxies = await proxiesTo({ dir }, proxied(stores));
  };
  const options = { brokers: BROKERS, brokerSessionMs: BROKER_SESSION_MS, prepare, ...more };
  const world = await openWorld(seed, options);
  const { close: closeWorld } = world;
  const close = async () => {
    await closeWorld();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  };
  if (!proxies.every(({ connections }) => connections > 0)) {
    await close();
    throw new Error('the services bypass a proxy');
  }
  const figures = new Figures(world);
  const addresses = world.stack.file().kafkaBrokers;
  return Object.assign(world, { addresses, figures, proxies: proxies as ClusterWorld['proxies'], close });
}
