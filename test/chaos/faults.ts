import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../../deploy/local/processes/run.js';
import type { Process } from '../../deploy/local/processes/process.js';
import { SERVICES } from '../../deploy/local/stack/stack-file.js';
import type { TcpProxy } from '@po/testing/tcp-proxy';
import { childrenOf } from '../bench/usage.js';
import { BROKERS } from '../cluster/world.js';
import type { Random } from '../faults/random.js';
import { answersAgain, down, hung, onRedis, whileFrozen } from '../faults/scenarios/outages.js';
import type { ChaosWorld } from './world.js';

/** Something that goes wrong and is healed again. */
export interface ChaosFault {
  name: string;
  /** What it happens to: of two faults at once each has its own. */
  part: 'Kafka' | 'PostgreSQL' | 'Redis' | 'mail server' | 'identity provider' | 'services';
  /** Resolves when it is healed. */
  hurt: (world: ChaosWorld, random: Random) => Promise<unknown>;
}

const SHORT_MS = 5_000;
/** Longer than the session of a silent broker, so that others take its partitions. */
const HUNG_BROKER_MS = 12_000;
const HUNG_MS = 8_000;
const DELAY_MS = [20, 150] as const;
/** Less than tokens live, more than anybody rounds. */
const WRONG_CLOCK_MS = 20_000;

/** In the order in which the services are led to them, behind the brokers. */
const STORES = ['PostgreSQL', 'Redis', 'Keycloak'] as const;

const proxyOf = ({ proxies }: ChaosWorld, store: (typeof STORES)[number] | number): TcpProxy =>
  proxies[typeof store === 'number' ? store - 1 : BROKERS + STORES.indexOf(store)] as TcpProxy;

async function slow(proxy: TcpProxy, random: Random): Promise<void> {
  proxy.slow(random.int(...DELAY_MS));
  await delay(HUNG_MS);
  proxy.pass();
}

async function unreachable(proxy: TcpProxy, ms: number): Promise<void> {
  proxy.hang();
  await delay(ms);
  proxy.pass();
}

const anyBroker = (random: Random): number => random.int(1, BROKERS);
const anyReplica = (world: ChaosWorld, random: Random): Process => random.pick(world.replicas(random.pick(SERVICES)));

async function restart(world: ChaosWorld, replicas: readonly Process[], environment: Record<string, string> = {}) {
  for (const replica of replicas) world.ended.add(replica);
  await Promise.all(replicas.map((replica) => replica.suspend('SIGKILL')));
  for (const replica of replicas) replica.resume(environment);
}

/** Another time than everybody else has, for a while. */
async function wrongClock(world: ChaosWorld, random: Random): Promise<void> {
  const replica = anyReplica(world, random);
  const wrongBy = random.chance(0.5) ? WRONG_CLOCK_MS : -WRONG_CLOCK_MS;
  await restart(world, [replica], { FAULTS_CLOCK_MS: String(wrongBy) });
  await delay(HUNG_BROKER_MS);
  await restart(world, [replica], { FAULTS_CLOCK_MS: '0' });
}

/** As on a full disk, nothing can be added to a file: PostgreSQL's log too, at which it ends and is started again. */
async function diskFull(world: ChaosWorld): Promise<void> {
  const { pid } = world.store('PostgreSQL');
  const limit = async (bytes: string) => {
    const limited = [pid, ...childrenOf(pid)].map((each) =>
      run('prlimit', ['--pid', String(each), `--fsize=${bytes}`]),
    );
    // Some of them have ended.
    await Promise.allSettled(limited);
  };
  await limit('0:unlimited');
  await delay(SHORT_MS);
  await limit('unlimited');
  await answersAgain(world, 'PostgreSQL');
}

/** Everything that goes wrong, one or two at a time. */
export const CHAOS_FAULTS: readonly ChaosFault[] = [
  {
    name: 'a broker is killed',
    part: 'Kafka',
    hurt: async (world, random) => {
      const broker = world.broker(anyBroker(random));
      await broker.suspend('SIGKILL');
      await delay(SHORT_MS);
      broker.resume();
    },
  },
  {
    name: 'a broker hangs',
    part: 'Kafka',
    hurt: (world, random) => whileFrozen(world.broker(anyBroker(random)).pid, () => delay(HUNG_BROKER_MS)),
  },
  {
    name: 'a broker is slow',
    part: 'Kafka',
    hurt: (world, random) => slow(proxyOf(world, anyBroker(random)), random),
  },
  {
    name: 'a broker cannot be reached',
    part: 'Kafka',
    hurt: (world, random) => unreachable(proxyOf(world, anyBroker(random)), HUNG_BROKER_MS),
  },
  { name: 'PostgreSQL is killed', part: 'PostgreSQL', hurt: (world) => down(world, 'PostgreSQL', SHORT_MS) },
  { name: 'PostgreSQL hangs', part: 'PostgreSQL', hurt: (world) => hung(world, 'PostgreSQL', HUNG_MS) },
  {
    name: 'PostgreSQL is slow',
    part: 'PostgreSQL',
    hurt: (world, random) => slow(proxyOf(world, 'PostgreSQL'), random),
  },
  {
    name: 'connections to PostgreSQL are reset',
    part: 'PostgreSQL',
    hurt: async (world) => proxyOf(world, 'PostgreSQL').reset(),
  },
  { name: "PostgreSQL's disk is full", part: 'PostgreSQL', hurt: diskFull },
  { name: 'Redis is killed', part: 'Redis', hurt: (world) => down(world, 'Redis', SHORT_MS) },
  { name: 'Redis hangs', part: 'Redis', hurt: (world) => hung(world, 'Redis', HUNG_MS) },
  { name: 'Redis is flushed', part: 'Redis', hurt: (world) => onRedis(world, (redis) => redis.flushall()) },
  { name: 'Redis is slow', part: 'Redis', hurt: (world, random) => slow(proxyOf(world, 'Redis'), random) },
  {
    name: 'the mail server is away',
    part: 'mail server',
    hurt: async ({ mailServer }) => {
      await mailServer.down();
      await delay(HUNG_MS);
      await mailServer.up();
    },
  },
  {
    name: 'Keycloak is killed',
    part: 'identity provider',
    hurt: async ({ keycloak }) => {
      await keycloak.process.suspend('SIGKILL');
      await delay(SHORT_MS);
      await keycloak.resume();
    },
  },
  {
    name: 'Keycloak hangs',
    part: 'identity provider',
    hurt: ({ keycloak }) => whileFrozen(keycloak.process.pid, () => delay(HUNG_MS)),
  },
  {
    name: 'Keycloak is slow',
    part: 'identity provider',
    hurt: (world, random) => slow(proxyOf(world, 'Keycloak'), random),
  },
  {
    name: 'Keycloak cannot be reached',
    part: 'identity provider',
    hurt: (world) => unreachable(proxyOf(world, 'Keycloak'), HUNG_MS),
  },
  {
    name: 'Keycloak signs with another key',
    part: 'identity provider',
    hurt: async ({ keycloak, renewTokens }) => {
      await keycloak.rotateKey();
      await renewTokens();
    },
  },
  {
    name: 'a replica is killed',
    part: 'services',
    hurt: (world, random) => restart(world, [anyReplica(world, random)]),
  },
  {
    name: 'both replicas of a service are killed',
    part: 'services',
    hurt: (world, random) => restart(world, world.replicas(random.pick(SERVICES))),
  },
  {
    name: 'a replica hangs',
    part: 'services',
    hurt: (world, random) => whileFrozen(anyReplica(world, random).pid, () => delay(HUNG_MS)),
  },
  { name: 'the clock of a replica is wrong', part: 'services', hurt: wrongClock },
];
