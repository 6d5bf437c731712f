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
/** Groups that are like those of the services, and disturb none of them. */
export const READ_GROUPS = Object.values(GROUPS).map((name) => `${name}-attempt`);

/** What users may do of what can be tried: `po-gateway Write po.commands.v1`. */
export const wishesOf = (users: typeof KAFKA_USERS): string[] =>
  Object.entries(users).flatMap(([user, rules]) =>
    rules.flatMap(({ resource, name, operations }) =>
      operations
        .filter((operation) => operation === 'Read' || operation === 'Write')
        .map((operation) => `${user} ${operation} ${resource === 'group' ? `${name}-attempt` : name}`),
    ),
  );

interface Attempts {
  /** What was let be done. */
  done: string[];
  /** How much brokers refused because it is not allowed. */
  refused: number;
  /** What was found on topics of what was tried to write. */
  stored: string[];
}

/** Each user tries to write to each topic, then to read each, and to join each group. Rejects for anything else than a yes or a no in the end. */
export async function attemptAll({ plain, settingsOf }: Pick<SecuredStack, 'plain' | 'settingsOf'>): Promise<Attempts> {
  const logger = pino({ level: 'silent' });
  const admin = connectKafka({ KAFKA_BROKERS: [plain] }, 'attempts', logger);
  const outcomes = new Map<string, boolean>();
  // Of so many connections at once some come too late on a busy machine.
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
        // Consumers set aside what they cannot read of it, on topics that it does not name.
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
