import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stores } from '../../deploy/local/stores/infrastructure.js';
import { controlFolder } from '../faults/stack.js';
import { type World, openWorld } from '../faults/world.js';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { Figures } from './figures.js';

export const BROKERS = 3;
/** Kafka's default: how long a silent broker keeps its partitions. */
const BROKER_SESSION_MS = 9_000;

/** Three brokers, two replicas of every service, and users at work. */
export interface ClusterWorld extends World {
  addresses: string;
  figures: Figures;
  /** Between every service and the broker of the highest number. */
  proxy: TcpProxy;
}

export async function openClusterWorld(seed: number): Promise<ClusterWorld> {
  let proxy: TcpProxy | undefined;
  const prepare = async ({ kafkaBrokers }: Stores, dir: string) => {
    const last = new URL(`tcp://${kafkaBrokers.split(',').at(-1)}`);
    proxy = await TcpProxy.to(last);
    const file = join(controlFolder({ dir }), 'routes.json');
    await writeFile(`${file}.new`, JSON.stringify({ [last.port]: proxy.port }));
    await rename(`${file}.new`, file);
  };
  const world = await openWorld(seed, { brokers: BROKERS, brokerSessionMs: BROKER_SESSION_MS, prepare });
  const passing = proxy as TcpProxy;
  if (passing.connections === 0) throw new Error('the services go around the proxy');
  const figures = new Figures(world);
  const { close: closeWorld } = world;
  const close = async () => {
    await closeWorld();
    await passing.close();
  };
  return Object.assign(world, { addresses: world.stack.file().kafkaBrokers, figures, proxy: passing, close });
}
