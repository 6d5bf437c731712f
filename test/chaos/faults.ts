import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../../deploy/local/processes/run.js';
import type { Process } from '../../deploy/local/processes/process.js';
import { SERVICES } from '../../deploy/local/stack/stack-file.js';
import type { TcpProxy } from '@po/testing/tcp-proxy';
import { childrenOf } from '../bench/usage.js';
import { BROKERS } from '../cluster/world.js';
import type { Random } from '../faults/random.js';
import { waitForAnswer, withStoreDown, withStoreHung, onRedis, whileFrozen } from '../faults/scenarios/outages.js';
import type { ChaosWorld } from './world.js';

/** A fault that is injected and then repaired. */
export interface ChaosFault {
  name: string;
  /** The affected part. Two concurrent faults affect different parts. */
  part: 'Kafka' | 'PostgreSQL' | 'Redis' | 'mail server' | 'identity provider' | 'services';
  /** Injects the fault. Resolves once the fault is repaired. */
  inject: (world: ChaosWorld, random: Random) => Promise<unknown>;
}

const SHORT_MS = 5_000;
/** Longer than the session timeout of a silent broker, so that other brokers take over its partitions. */
const HUNG_BROKER_MS = 12_000;
const HUNG_MS = 8_000;
const DELAY_MS = [20, 150] as const;
/** Less than the lifetime of a token, more than any rounding of times. */
const WRONG_CLOCK_MS = 20_000;

/** Stores in the order of their proxies, which follow those of the brokers. */
const STORES = ['PostgreSQL', 'Redis', 'Keycloak'] as const;

const proxyOf = ({ proxies }: ChaosWorld, store: (typeof STORES)[number] | number): TcpProxy =>
  proxies[typeof store === 'number' ? store - 1 : BROKERS + STORES.indexOf(store)] as TcpProxy;

async function slow(proxy: TcpProxy, random: Random): Promise<void> {
  proxy.slow(random.int(...DELAY_MS));
  await delay(HUNG_MS);
  proxy.restore();
}

async function unreachable(proxy: TcpProxy, ms: number): Promise<void> {
  proxy.hang();
  await delay(ms);
  proxy.restore();
}

const anyBroker = (random: Random): number => random.int(1, BROKERS);
const anyReplica = (world: ChaosWorld, random: Random): Process => random.pick(world.replicas(random.pick(SERVICES)));

async function restart(world: ChaosWorld, replicas: readonly Process[], environment: Record<string, string> = {}) {
  for (const replica of replicas) world.ended.add(replica);
  await Promise.all(replicas.map((replica) => replica.suspend('SIGKILL')));
  for (const replica of replicas) replica.resume(environment);
}

/** Runs one replica with a wrong clock for a while. */
async function wrongClock(world: ChaosWorld, random: Random): Promise<void> {
  const replica = anyReplica(world, random);
  const wrongBy = random.chance(0.5) ? WRONG_CLOCK_MS : -WRONG_CLOCK_MS;
  await restart(world, [replica], { FAULTS_CLOCK_MS: String(wrongBy) });
  await delay(HUNG_BROKER_MS);
  await restart(world, [replica], { FAULTS_CLOCK_MS: '0' });
}

/** Simulates a full disk: no file can grow. PostgreSQL ends when it cannot write its log, and is started again. */
async function diskFull(world: ChaosWorld): Promise<void> {
  const { pid } = world.store('PostgreSQL');
  const limit = async (bytes: string) => {
    const limited = [pid, ...childrenOf(pid)].map((each) =>
      run('prlimit', ['--pid', String(each), `--fsize=${bytes}`]),
    );
    // Some of the processes may have ended.
    await Promise.allSettled(limited);
  };
  await limit('0:unlimited');
  await delay(SHORT_MS);
  await limit('unlimited');
  await waitForAnswer(world, 'PostgreSQL');
}

/** All chaos faults. One or two are injected at a time. */
export const CHAOS_FAULTS: readonly ChaosFault[] = [
  {
    name: 'a broker is killed',
    part: 'Kafka',
    inject: async (world, random) => {
      const broker = world.broker(anyBroker(random));
      await broker.suspend('SIGKILL');
      await delay(SHORT_MS);
      broker.resume();
    },
  },
  {
    name: 'a broker hangs',
    part: 'Kafka',
    inject: (world, random) => whileFrozen(world.broker(anyBroker(random)).pid, () => delay(HUNG_BROKER_MS)),
  },
  {
    name: 'a broker is slow',
    part: 'Kafka',
    inject: (world, random) => slow(proxyOf(world, anyBroker(random)), random),
  },
  {
    name: 'a broker cannot be reached',
    part: 'Kafka',
    inject: (world, random) => unreachable(proxyOf(world, anyBroker(random)), HUNG_BROKER_MS),
  },
  { name: 'PostgreSQL is killed', part: 'PostgreSQL', inject: (world) => withStoreDown(world, 'PostgreSQL', SHORT_MS) },
  { name: 'PostgreSQL hangs', part: 'PostgreSQL', inject: (world) => withStoreHung(world, 'PostgreSQL', HUNG_MS) },
  {
    name: 'PostgreSQL is slow',
    part: 'PostgreSQL',
    inject: (world, random) => slow(proxyOf(world, 'PostgreSQL'), random),
  },
  {
    name: 'connections to PostgreSQL are reset',
    part: 'PostgreSQL',
    inject: async (world) => proxyOf(world, 'PostgreSQL').reset(),
  },
  { name: "PostgreSQL's disk is full", part: 'PostgreSQL', inject: diskFull },
  { name: 'Redis is killed', part: 'Redis', inject: (world) => withStoreDown(world, 'Redis', SHORT_MS) },
  { name: 'Redis hangs', part: 'Redis', inject: (world) => withStoreHung(world, 'Redis', HUNG_MS) },
  { name: 'Redis is flushed', part: 'Redis', inject: (world) => onRedis(world, (redis) => redis.flushall()) },
  { name: 'Redis is slow', part: 'Redis', inject: (world, random) => slow(proxyOf(world, 'Redis'), random) },
  {
    name: 'the mail server is down',
    part: 'mail server',
    inject: async ({ mailServer }) => {
      await mailServer.down();
      await delay(HUNG_MS);
      await mailServer.up();
    },
  },
  {
    name: 'Keycloak is killed',
    part: 'identity provider',
    inject: async ({ keycloak }) => {
      await keycloak.process.suspend('SIGKILL');
      await delay(SHORT_MS);
      await keycloak.resume();
    },
  },
  {
    name: 'Keycloak hangs',
    part: 'identity provider',
    inject: ({ keycloak }) => whileFrozen(keycloak.process.pid, () => delay(HUNG_MS)),
  },
  {
    name: 'Keycloak is slow',
    part: 'identity provider',
    inject: (world, random) => slow(proxyOf(world, 'Keycloak'), random),
  },
  {
    name: 'Keycloak cannot be reached',
    part: 'identity provider',
    inject: (world) => unreachable(proxyOf(world, 'Keycloak'), HUNG_MS),
  },
  {
    name: 'Keycloak signs with another key',
    part: 'identity provider',
    inject: async ({ keycloak, renewTokens }) => {
      await keycloak.rotateKey();
      await renewTokens();
    },
  },
  {
    name: 'a replica is killed',
    part: 'services',
    inject: (world, random) => restart(world, [anyReplica(world, random)]),
  },
  {
    name: 'both replicas of a service are killed',
    part: 'services',
    inject: (world, random) => restart(world, world.replicas(random.pick(SERVICES))),
  },
  {
    name: 'a replica hangs',
    part: 'services',
    inject: (world, random) => whileFrozen(anyReplica(world, random).pid, () => delay(HUNG_MS)),
  },
  { name: 'the clock of a replica is wrong', part: 'services', inject: wrongClock },
];
