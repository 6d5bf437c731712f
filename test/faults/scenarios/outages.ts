import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { childrenOf, requireProc } from '../../bench/usage.js';
import { eventually } from '@po/testing/eventually';
import { databaseOf } from '../database.js';
import { rowsOf } from '../../support/rows.js';
import type { Violation } from '../oracle/evidence.js';
import type { Scenario } from '../scenario.js';
import type { StoreName } from '../stack.js';
import type { World } from '../world.js';
import { behaviourWithout } from './behaviour.js';

const START_MS = 120_000;

const ANSWERS: Record<StoreName, (world: World) => Promise<unknown>> = {
  Kafka: async ({ kafka }) => {
    const admin = await kafka.admin();
    return admin.topics().finally(() => admin.close());
  },
  PostgreSQL: (world) => rowsOf(databaseOf(world, 'purchaseOrders'), 'SELECT 1'),
  Redis: (world) => onRedis(world, (redis) => redis.ping()),
};

type While = (world: World) => Promise<Violation[]>;

/** Kills a store and restarts it after `ms`. `meanwhile` checks what users see during the outage. */
export async function withStoreDown(
  world: World,
  name: StoreName,
  ms: number,
  meanwhile?: While,
): Promise<Violation[]> {
  const store = world.store(name);
  await store.suspend('SIGKILL');
  try {
    const [violations] = await Promise.all([meanwhile?.(world) ?? [], delay(ms)]);
    return violations;
  } finally {
    store.resume();
    // The outage ends when the store answers, which takes much longer on a busy machine.
    await waitForAnswer(world, name);
  }
}

/** Resolves when the store answers again. */
export async function waitForAnswer(world: World, name: StoreName): Promise<void> {
  await eventually(`${name} answers again`, () => ANSWERS[name](world).then(() => true), { timeoutMs: START_MS });
}

/** Freezes a store for `ms`: connections stay open, but get no answer. */
export async function withStoreHung(
  world: World,
  name: StoreName,
  ms: number,
  meanwhile?: While,
): Promise<Violation[]> {
  const looked = () => Promise.all([meanwhile?.(world) ?? [], delay(ms)]);
  const [violations] = await whileFrozen(world.store(name).pid, looked);
  return violations;
}

/** Does the work while a process and its children are frozen. */
export async function whileFrozen<T>(pid: number, work: () => Promise<T>): Promise<T> {
  const frozen = freeze(pid);
  try {
    return await work();
  } finally {
    for (const stopped of frozen) process.kill(stopped, 'SIGCONT');
  }
}

/** Freezes a process and its children by SIGSTOP. Returns their process ids, to continue or end them. */
export function freeze(pid: number): number[] {
  requireProc();
  process.kill(pid, 'SIGSTOP');
  // The parent is stopped first, so that it starts no more children.
  const children = childrenOf(pid);
  for (const child of children) process.kill(child, 'SIGSTOP');
  return [...children, pid];
}

export async function onRedis<T>({ stack }: World, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(stack.file().redisUrl, { lazyConnect: true, retryStrategy: null });
  // Without a listener ioredis prints refused connections.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

const { kafka, redis } = behaviourWithout;

export const OUTAGES: Scenario[] = [
  { name: 'Kafka killed, back after 5 s', short: true, fault: (world) => withStoreDown(world, 'Kafka', 5_000) },
  { name: 'Kafka down for 60 s', fault: (world) => withStoreDown(world, 'Kafka', 60_000, kafka) },
  { name: 'Kafka hung for 20 s', fault: (world) => withStoreHung(world, 'Kafka', 20_000) },
  { name: 'PostgreSQL killed, back after 5 s', fault: (world) => withStoreDown(world, 'PostgreSQL', 5_000) },
  { name: 'PostgreSQL hung for 20 s', fault: (world) => withStoreHung(world, 'PostgreSQL', 20_000) },
  { name: 'Redis down for 15 s', fault: (world) => withStoreDown(world, 'Redis', 15_000, redis) },
  { name: 'Redis hung for 15 s', fault: (world) => withStoreHung(world, 'Redis', 15_000, redis) },
  {
    name: 'Redis flushed, twice',
    short: true,
    fault: async (world, random, load) => {
      await onRedis(world, (connection) => connection.flushall());
      await load.more(random.int(10, 60));
      await onRedis(world, (connection) => connection.flushall());
    },
  },
];
