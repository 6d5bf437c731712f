import { setTimeout as delay } from 'node:timers/promises';
import { TOPIC_MANIFEST, type TopicSpecification, topicSettings } from '@po/contracts';
import type { Logger } from '@po/platform';
import type { AdminPort, KafkaPort, TopicDescription } from '../kafka-port.js';

const WAIT_MS = 60_000;
const POLL_MS = 500;

export interface TopicsOptions {
  /** Replicas of each partition. No topic is created before this many brokers are up. */
  replication: number;
  /** Replicas that must have a record before it is acknowledged; one less than `replication` if absent, at least 1. */
  minInsync?: number | undefined;
  /** Replicas of each partition of requests and replies; 1 if absent. */
  rpcReplication?: number;
  /** Milliseconds to wait for brokers. */
  waitMs?: number;
  manifest?: readonly TopicSpecification[];
}

type Refusal = Error & { topic?: string; type?: string; retriable?: boolean };

type Wanted = TopicSpecification & { replication: number; minInsync: number };

/** Replication factor for a number of brokers: three, or one replica per broker in a smaller cluster. */
export const replicationOn = (brokers: number): number => Math.min(3, brokers);

/**
 * Creates the missing topics of the manifest once there are enough brokers for their replicas. Existing topics are never changed;
 * differences are only reported. Rejects with the number of brokers if too few are up in time.
 */
export async function ensureTopics(
  kafka: KafkaPort,
  logger: Logger,
  options: TopicsOptions,
): Promise<{ created: string[]; differing: string[] }> {
  const { replication, waitMs = WAIT_MS, manifest = TOPIC_MANIFEST } = options;
  const wanted = manifest.map((topic): Wanted => ({ ...topic, ...replicasOf(topic, options) }));
  const missing = await createMissing(kafka, logger, wanted, { replication, waitMs });
  const admin = await kafka.admin();
  try {
    const differing = await differences(
      admin,
      wanted.filter((topic) => !missing.includes(topic)),
    );
    for (const difference of differing)
      logger.warn({ difference }, 'a topic differs from the manifest and was not changed');
    const created = missing.map(({ topic }) => topic);
    logger.info({ created, differing: differing.length }, 'topics checked');
    return { created, differing };
  } finally {
    await admin.close();
  }
}

function replicasOf(
  { ephemeral }: TopicSpecification,
  options: TopicsOptions,
): Pick<Wanted, 'replication' | 'minInsync'> {
  const { replication, minInsync = Math.max(1, replication - 1), rpcReplication = 1 } = options;
  return ephemeral ? { replication: rpcReplication, minInsync: 1 } : { replication, minInsync };
}

/** Creates the missing topics once there are enough brokers, and resolves with them; at once if none is missing. */
async function createMissing(
  kafka: KafkaPort,
  logger: Logger,
  wanted: readonly Wanted[],
  { replication, waitMs }: { replication: number; waitMs: number },
): Promise<Wanted[]> {
  const deadline = performance.now() + waitMs;
  let missing: Wanted[] | undefined;
  for (let known = ''; ; await delay(POLL_MS)) {
    const { tried, brokers, cause } = await tryToCreate(kafka, wanted, replication);
    // An attempt that was refused may have created some of them.
    missing ??= tried;
    if (missing && tried && cause === undefined) return missing;
    if (performance.now() > deadline) {
      if (brokers >= replication) throw new Error(`topics could not be created within ${waitMs} ms`, { cause });
      throw new Error(
        `${brokers} of ${replication} brokers are available after ${waitMs} ms: start the others, or set KAFKA_REPLICATION to fewer`,
        { cause },
      );
    }
    const reason = cause instanceof Error ? cause.message : undefined;
    const state = `${brokers} ${reason}`;
    if (state !== known) logger.info({ brokers, needed: replication, reason }, 'waiting for brokers');
    known = state;
  }
}

/**
 * Creates the absent topics, `tried`, if there are enough brokers. Uses a new connection each time, because the broker that answered before
 * may now be down. `cause` is set if it failed and another attempt may succeed: the cluster does not answer, or its controller does not count
 * a broker that has just started. Rejects if it refuses a topic for another reason.
 */
async function tryToCreate(
  kafka: KafkaPort,
  wanted: readonly Wanted[],
  replication: number,
): Promise<{ tried?: Wanted[]; brokers: number; cause?: unknown }> {
  let brokers = 0;
  let tried: Wanted[] | undefined;
  try {
    const admin = await kafka.admin();
    try {
      const existing = new Set(await admin.topics());
      brokers = await admin.brokerCount();
      const absent = wanted.filter(({ topic }) => !existing.has(topic));
      if (brokers < (absent.length > 0 ? replication : 1)) return { brokers };
      tried = absent;
      if (absent.length > 0) await admin.createTopics(absent);
      return { tried, brokers };
    } finally {
      await admin.close();
    }
  } catch (error) {
    if (!tried) return { brokers, cause: error };
    // One error for each topic, if the controller answered.
    const { errors = [] } = error as { errors?: Refusal[] };
    const isFinal = errors.some(({ type, retriable }) => type !== 'INVALID_REPLICATION_FACTOR' && retriable !== true);
    if (isFinal) {
      const reasons = errors.map(({ topic, message }) => `${topic}: ${message}`);
      throw new Error(`topics were refused: ${reasons.join('; ')}`, { cause: error });
    }
    return { tried, brokers, cause: errors[0] ?? error };
  }
}

async function differences(admin: AdminPort, wanted: readonly Wanted[]): Promise<string[]> {
  if (wanted.length === 0) return [];
  const described = await admin.describe(wanted.map(({ topic }) => topic));
  const byTopic = new Map(described.map((topic) => [topic.topic, topic]));
  return wanted.flatMap((want) => {
    const have = byTopic.get(want.topic);
    return have ? differencesOf(want, have) : [`${want.topic}: could not be described`];
  });
}

function differencesOf(want: Wanted, have: TopicDescription): string[] {
  const pairs = [
    ['partitions', have.partitions, want.partitions],
    ['replication', have.replication, want.replication],
    ...Object.entries(topicSettings(want)).map(([name, value]) => [name, have.settings[name], value] as const),
  ] as const;
  return pairs
    .filter(([, is, wanted]) => is !== wanted)
    .map(([name, is, wanted]) => `${want.topic}: ${name} is ${is ?? 'unknown'}, wanted is ${wanted}`);
}
