import { randomUUID } from 'node:crypto';
import { TOPICS } from '@po/contracts';
import type { IncomingRecord, OutgoingRecord } from '@po/messaging';
import kafkajs from 'kafkajs';
import { type ExampleMessage, readExamples, valueOf } from '../../deploy/local/example-messages.js';
import type { World } from '../e2e/world.js';
import type { Truth } from './acts.js';

const NEWER = `${TOPICS.transitions}/of-a-newer-version.json`;
/** More than clients and brokers take where nobody told them otherwise. */
const LARGE = 2 * 1024 * 1024;

const ofTransitions = readExamples().filter(({ topic }) => topic === TOPICS.transitions);

async function send(world: World, records: readonly OutgoingRecord[]): Promise<void> {
  const producer = world.kafka.producer({ acks: 'all' });
  await producer.connect();
  // One a request: together they may be more than a batch takes.
  for (const record of records) await producer.send([record]);
  await producer.disconnect();
}

const recordOf = (message: ExampleMessage, headers = {}): OutgoingRecord => ({
  topic: TOPICS.transitions,
  key: message.key,
  value: valueOf(message),
  headers: { ...message.headers, ...headers },
});

/** Sends transitions that nobody can read, a large one among them; answers them as they stand on the topic. */
export async function unreadable(world: World): Promise<IncomingRecord[]> {
  const mark = randomUUID();
  const refused = ofTransitions.filter(({ isRefused }) => isRefused).map(({ message }) => recordOf(message, { mark }));
  const large = { ...refused[0], value: 'x'.repeat(LARGE) } as OutgoingRecord;
  await send(world, [...refused, large]);
  return world.raw(TOPICS.transitions, ({ headers }) => headers.mark === mark);
}

/** Sends a transition as a newer version might; answers what a ledger must say of it. */
export async function newerMessage(world: World): Promise<Truth> {
  const message = ofTransitions.find(({ path }) => path === NEWER)?.message;
  if (!message) throw new Error(`${NEWER} is missing`);
  await send(world, [recordOf(message)]);
  const { toStatusId: statusId, currency } = message.value as { toStatusId: number; currency: string };
  return { [String(message.key)]: { statusId, currency, agreed: null } };
}

/** Deletes what is on a topic now, as time does. */
export async function forgetAll(kafkaBrokers: string, topic: string): Promise<void> {
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

/** What was published of these orders comes a second time, as it may after any fault; the last of each only once. */
export async function sendAgain(world: World, poNumbers: ReadonlySet<string>): Promise<void> {
  const published = await world.raw(TOPICS.transitions, ({ key }) => poNumbers.has(String(key)));
  const last = new Set(new Map(published.map((record) => [String(record.key), record])).values());
  const older = published.filter((record) => !last.has(record));
  if (older.length === 0) throw new Error('there is nothing to send again');
  await send(
    world,
    older.map(({ topic, key, value, rawHeaders }) => ({ topic, key, value, headers: rawHeaders })),
  );
}
