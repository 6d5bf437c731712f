import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Violation } from '../oracle/evidence.js';
import type { Scenario } from '../scenario.js';
import type { StoreName } from '../stack.js';
import type { World } from '../world.js';
import { behaviourWithout } from './behaviour.js';

type While = (world: World) => Promise<Violation[]>;

/** Down for so long and started again; what users see meanwhile is looked at once the outage is noticed. */
async function down(world: World, name: StoreName, ms: number, meanwhile?: While): Promise<Violation[]> {
  const store = world.store(name);
  await store.suspend('SIGKILL');
  try {
    const [violations] = await Promise.all([meanwhile?.(world) ?? [], delay(ms)]);
    return violations;
  } finally {
    store.resume();
  }
}

/** Stopped for so long: connections stay, nothing answers. */
async function hung(world: World, name: StoreName, ms: number, meanwhile?: While): Promise<Violation[]> {
  const { pid } = world.store(name);
  process.kill(pid, 'SIGSTOP');
  try {
    const [violations] = await Promise.all([meanwhile?.(world) ?? [], delay(ms)]);
    return violations;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function flush({ stack }: World): Promise<void> {
  const redis = new Redis(stack.file().redisUrl);
  try {
    await redis.flushall();
  } finally {
    redis.disconnect();
  }
}

const { kafka, redis } = behaviourWithout;

export const OUTAGES: Scenario[] = [
  { name: 'Kafka killed, back after 5 s', short: true, fault: (world) => down(world, 'Kafka', 5_000) },
  { name: 'Kafka down for 60 s', fault: (world) => down(world, 'Kafka', 60_000, kafka) },
  { name: 'Kafka hung for 20 s', fault: (world) => hung(world, 'Kafka', 20_000) },
  { name: 'PostgreSQL killed, back after 5 s', fault: (world) => down(world, 'PostgreSQL', 5_000) },
  { name: 'Redis down for 15 s', fault: (world) => down(world, 'Redis', 15_000, redis) },
  { name: 'Redis hung for 15 s', fault: (world) => hung(world, 'Redis', 15_000, redis) },
  {
    name: 'Redis flushed, twice',
    short: true,
    fault: async (world, random, load) => {
      await flush(world);
      await load.more(random.int(10, 60));
      await flush(world);
    },
  },
];
