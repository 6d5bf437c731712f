import { randomUUID } from 'node:crypto';
import { TOPICS } from '@po/contracts';
import type { IncomingRecord, OutgoingRecord } from '@po/messaging';
import kafkajs from 'kafkajs';
import { type ExampleMessage, readExamples, valueOf } from '../../deploy/local/example-messages.js';
import type { World } from '../e2e/world.js';
import { sendRecords } from '../support/send-records.js';
import type { ExpectedLedger } from './user-steps.js';

const NEWER = `${TOPICS.transitions}/of-a-newer-version.json`;
/** Larger than the default limits of clients and brokers. */
const LARGE = 2 * 1024 * 1024;

const ofTransitions = readExamples().filter(({ topic }) => topic === TOPICS.transitions);

const recordOf = (message: ExampleMessage, headers = {}): OutgoingRecord => ({
  topic: TOPICS.transitions,
  key: message.key,
  value: valueOf(message),
  headers: { ...message.headers, ...headers },
});

/** Sends unreadable transitions, including a large one, and returns them as stored on the topic. */
export async function sendUnreadable(world: World): Promise<IncomingRecord[]> {
  const mark = randomUUID();
  const refused = ofTransitions.filter(({ isRefused }) => isRefused).map(({ message }) => recordOf(message, { mark }));
  const large = { ...refused[0], value: 'x'.repeat(LARGE) } as OutgoingRecord;
  await sendRecords(world.kafka, [...refused, large]);
  return world.raw(TOPICS.transitions, ({ headers }) => headers.mark === mark);
}

/** Sends a transition of a newer version, and returns the entry that a ledger must have for it. */
export async function sendNewerMessage(world: World): Promise<ExpectedLedger> {
  const message = ofTransitions.find(({ path }) => path === NEWER)?.message;
  if (!message) throw new Error(`${NEWER} is missing`);
  await sendRecords(world.kafka, [recordOf(message)]);
  const { toStatusId: statusId, currency } = message.value as { toStatusId: number; currency: string };
  return { [String(message.key)]: { statusId, currency, agreed: null } };
}

/** Deletes all current records of a topic, as retention does. */
export async function deleteRecords(kafkaBrokers: string, topic: string): Promise<void> {
  const { Kafka, logLevel } = kafkajs;
  const admin = new Kafka({ brokers: kafkaBrokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(topic);
    const partitions = offsets.map(({ partition, high }) => ({ partition, offset: high }));
    await admin.deleteTopicRecords({ topic, partitions });
  } finally {
    await admin.disconnect();
  }
}

/** Publishes the transitions of these orders again, as may happen after any fault, except the last one of each order. */
export async function resend(world: World, poNumbers: ReadonlySet<string>): Promise<void> {
  const published = await world.raw(TOPICS.transitions, ({ key }) => poNumbers.has(String(key)));
  const last = new Set(new Map(published.map((record) => [String(record.key), record])).values());
  const older = published.filter((record) => !last.has(record));
  if (older.length === 0) throw new Error('there is no transition to send again');
  await sendRecords(
    world.kafka,
    older.map(({ topic, key, value, rawHeaders }) => ({ topic, key, value, headers: rawHeaders })),
  );
}
