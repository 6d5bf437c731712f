import { GROUPS, TOPIC_MANIFEST } from '@po/contracts';
import { type KafkaPort, connectKafka, readTopic } from '@po/messaging';
import { kafkaRules, kafkaSettings, withCrossFieldRules } from '@po/platform';
import { pino } from 'pino';
import { z } from 'zod';
import { KAFKA_USERS } from '../../deploy/documents/kafka/access.js';
import { eventually } from '@po/testing/eventually';
import type { SecuredStack } from './secured-stack.js';

const AUTHORIZATION = [29, 30];
const TOPICS = TOPIC_MANIFEST.map(({ topic }) => topic);
/** Groups whose names start like those of the services, but which disturb no service. */
export const READ_GROUPS = Object.values(GROUPS).map((name) => `${name}-attempt`);

/** Reads and writes that these rules allow and tests can attempt, such as `po-gateway Write po.commands.v1`. */
export const allowedAttempts = (users: typeof KAFKA_USERS): string[] =>
  Object.entries(users).flatMap(([user, rules]) =>
    rules.flatMap(({ resource, name, operations }) =>
      operations
        .filter((operation) => operation === 'Read' || operation === 'Write')
        .map((operation) => `${user} ${operation} ${resource === 'group' ? `${name}-attempt` : name}`),
    ),
  );

interface Attempts {
  /** Attempts that succeeded. */
  done: string[];
  /** Number of attempts that brokers refused as not authorized. */
  refused: number;
  /** Write attempts whose record was found on the topic. */
  stored: string[];
}

/** Every user writes to and reads from every topic and joins every group. Rejects if an attempt neither succeeds nor is refused. */
export async function attemptAll({ plain, settingsOf }: Pick<SecuredStack, 'plain' | 'settingsOf'>): Promise<Attempts> {
  const logger = pino({ level: 'silent' });
  const admin = connectKafka({ KAFKA_BROKERS: [plain] }, 'attempts', logger);
  const outcomes = new Map<string, boolean>();
  // Some of the many concurrent connections time out on a busy machine, so attempts are repeated.
  const attempt = async (wish: string, work: () => Promise<boolean>) => {
    const { may } = await eventually(`${wish} is answered`, async () => ({ may: await work() }));
    outcomes.set(wish, may);
  };
  const producer = admin.producer({ acks: 'all' });
  await producer.connect();
  await producer.send(TOPICS.map((topic) => record(topic, 'seed')));
  await producer.disconnect();

  await Promise.all(
    Object.keys(KAFKA_USERS).map(async (user) => {
      const settings = withCrossFieldRules(z.object(kafkaSettings), kafkaRules).parse(settingsOf(user));
      const kafka = connectKafka(settings, user, logger);
      for (const topic of TOPICS) {
        const wish = `${user} Write ${topic}`;
        await attempt(wish, () => writes(kafka, topic, wish));
      }
      await Promise.all(TOPICS.map((topic) => attempt(`${user} Read ${topic}`, () => reads(kafka, topic))));
      const known = KAFKA_USERS[user]?.find(({ resource }) => resource === 'topic')?.name ?? '';
      await Promise.all(READ_GROUPS.map((group) => attempt(`${user} Read ${group}`, () => joins(kafka, group, known))));
    }),
  );
  const stored = new Set<string>();
  await Promise.all(
    TOPICS.map((topic) =>
      readTopic(admin, topic, ({ value }) => {
        // Consumers copy records that they cannot read to dead-letter topics, whose names differ from the topic in the value.
        if (String(value).endsWith(` Write ${topic}`)) stored.add(String(value));
      }),
    ),
  );
  const done = [...outcomes].filter(([, may]) => may).map(([wish]) => wish);
  return { done, refused: outcomes.size - done.length, stored: [...stored] };
}

const record = (topic: string, value: string) => ({ topic, partition: 0, key: 'attempt', value, headers: {} });

const mayNot = (error: unknown): false => {
  if (AUTHORIZATION.includes((error as { code?: number }).code ?? 0)) return false;
  throw error;
};

async function writes(kafka: KafkaPort, topic: string, value: string): Promise<boolean> {
  const producer = kafka.producer({ acks: 'all' });
  await producer.connect();
  return producer
    .send([record(topic, value)])
    .then(() => true, mayNot)
    .finally(() => producer.disconnect());
}

async function reads(kafka: KafkaPort, topic: string): Promise<boolean> {
  const consumer = kafka.consumer({ group: 'none', topics: [topic], from: 'earliest', partitions: [0] });
  let isRead = false;
  const handlers = { onRecords: () => (isRead = true) };
  try {
    await consumer.start(handlers);
    await eventually(
      `${topic} is read or refused`,
      () => isRead || kafka.authorizationFailures().includes(`read topic ${topic}`),
    );
    return isRead;
  } catch (error) {
    return mayNot(error);
  } finally {
    await consumer.stop();
  }
}

async function joins(kafka: KafkaPort, group: string, topic: string): Promise<boolean> {
  const consumer = kafka.consumer({ group, topics: [topic], from: 'latest' });
  const handlers = { onRecords: () => undefined };
  return consumer
    .start(handlers)
    .then(() => true, mayNot)
    .finally(() => consumer.stop());
}
