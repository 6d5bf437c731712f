import { setTimeout as delay } from 'node:timers/promises';
import type { TcpProxy } from '@po/testing/tcp-proxy';
import { restartAll } from '../restart.js';
import type { Random } from '../random.js';
import { proxiesTo, withoutProxies } from '../routes.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

interface Proxies {
  Kafka: TcpProxy;
  PostgreSQL: TcpProxy;
  Redis: TcpProxy;
}

const FAULT_MS = 12_000;
const RESETS = 6;

/** Routes every service through proxies to its stores while `fault` runs, and directly to them afterwards. */
async function throughProxies(world: World, fault: (proxies: Proxies) => Promise<void>): Promise<void> {
  const { kafkaBrokers, databaseUrls, redisUrl } = world.stack.file();
  const targets = [`tcp://${kafkaBrokers}`, databaseUrls.purchaseOrders, redisUrl].map((url) => new URL(url));
  const proxies = await proxiesTo(world, targets);
  const [kafka, postgres, redis] = proxies as [TcpProxy, TcpProxy, TcpProxy];
  try {
    await restartAll(world);
    if (!proxies.every(({ connections }) => connections > 0)) throw new Error('the services bypass the proxies');
    await fault({ Kafka: kafka, PostgreSQL: postgres, Redis: redis });
  } finally {
    await withoutProxies(world);
    for (const proxy of proxies) proxy.restore();
    await restartAll(world);
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
}

async function slow(world: World, random: Random): Promise<void> {
  await throughProxies(world, async (proxies) => {
    for (const name of random.shuffled(Object.keys(proxies) as (keyof Proxies)[])) {
      proxies[name].slow(random.int(10, 60));
      await delay(FAULT_MS / 2);
      proxies[name].restore();
    }
  });
}

async function cut(world: World, random: Random): Promise<void> {
  await throughProxies(world, async (proxies) => {
    for (let count = 0; count < RESETS; count += 1) {
      for (const proxy of random.shuffled(Object.values(proxies) as TcpProxy[]).slice(0, random.int(1, 3)))
        proxy.reset();
      await delay(random.int(500, (2 * FAULT_MS) / RESETS));
    }
  });
}

export const NETWORK: Scenario[] = [
  { name: 'slow connections to every store', fault: slow },
  { name: 'connections to the stores reset in mid-stream, again and again', fault: cut },
];
