import { describe, expect, it } from '@jest/globals';
import { HEADERS, NotificationCreated, TOPICS, deadLetterTopic } from '@po/contracts';
import type { EventSubscription } from '@po/messaging';
import { pino } from 'pino';
import { releasedPath } from '../../deploy/documents/compatibility/released.js';
import {
  CHECKSUMS,
  type ExampleFile,
  checksumOf,
  readChecksums,
  readExamples,
  valueOf,
} from '../../deploy/local/example-messages.js';
import { EventConsumer } from '../../libs/messaging/src/consuming/event-consumer.js';
import { InMemoryKafka } from '../../libs/messaging/src/in-memory/in-memory-kafka.js';
import { Publisher } from '../../libs/messaging/src/publishing/publisher.js';
import { subscriptions as dashboard } from '../../services/dashboard/src/subscriptions.js';
import { subscriptions as notifications } from '../../services/notifications/src/subscriptions.js';
import { subscriptions as purchaseOrders } from '../../services/purchase-orders/src/subscriptions.js';

const examples = readExamples();
const readers = [purchaseOrders(1), notifications(1), dashboard()].flatMap(({ events }) => events);
const readerOf = (topic: string): EventSubscription | undefined =>
  readers.find(({ topics }) => topics.includes(topic as never));

const named = (files: readonly ExampleFile[]) => files.map((file) => [file.path, file] as const);
const read = examples.filter(({ topic }) => readerOf(topic));

/** Delivers a record to the service that reads its topic. Returns the handled types and the reason of each dead letter. */
async function handled({ topic, message }: ExampleFile): Promise<{ types: string[]; reasons: string[] }> {
  const subscription = readerOf(topic);
  if (!subscription) throw new Error(`no service reads ${topic}`);
  const kafka = new InMemoryKafka();
  const value = valueOf(message);
  await kafka.producer().send([{ topic, key: message.key, value, headers: message.headers }]);
  const [record] = kafka.records(topic);
  if (!record) throw new Error('the record was not stored');
  const types: string[] = [];
  const logger = pino({ level: 'silent' });
  const deadLetters = new Publisher(kafka, { acks: 'all', logger });
  const consumer = new EventConsumer({
    ...subscription,
    deadLetters,
    logger,
    handlerOf: (type) => () => Promise.resolve(void types.push(type)),
  });
  await consumer.handle(record, () => false);
  await deadLetters.close();
  const letters = kafka.records(deadLetterTopic(subscription.group));
  return { types, reasons: letters.map(({ headers }) => headers[HEADERS.deadLetterReason] ?? '') };
}

describe('the example messages', () => {
  it('are all listed in SHA256SUMS with their current checksums', () => {
    const listed = readChecksums();
    expect(listed.map(({ path }) => path).toSorted()).toEqual(examples.map(({ path }) => path));
    expect(listed.map(({ path }) => checksumOf(path))).toEqual(listed);
  });

  it('keep the checksums of the released version', () => {
    const released = readChecksums(releasedPath(CHECKSUMS));
    expect(released.length).toBeGreaterThan(50);
    expect(readChecksums().slice(0, released.length)).toEqual(released);
  });

  it('cover every topic that other systems use', () => {
    const topics = [
      TOPICS.inventory,
      TOPICS.transitions,
      TOPICS.state,
      TOPICS.messages,
      TOPICS.reminders,
      TOPICS.notifications,
    ];
    const valid = examples.filter(({ isRefused }) => !isRefused).map(({ topic }) => topic);
    expect(topics.filter((topic) => !valid.includes(topic))).toEqual([]);
  });

  it.each(named(read.filter(({ isRefused }) => !isRefused)))(
    '%s is handled by the service that reads its topic',
    async (_path, file) => {
      const { headers } = file.message;
      const type = headers[HEADERS.inventoryType] ?? headers[HEADERS.cloudEventType];
      expect(await handled(file)).toEqual({ types: [type], reasons: [] });
    },
  );

  it.each(named(read.filter(({ isRefused }) => isRefused)))(
    '%s is dead-lettered for the expected reason',
    async (_path, file) => {
      const { types, reasons } = await handled(file);
      expect(types).toEqual([]);
      expect(reasons).toEqual([expect.stringContaining(file.message.reason ?? 'a reason is missing')]);
    },
  );

  it.each(named(examples.filter(({ topic }) => topic === TOPICS.notifications)))(
    '%s is a valid notification',
    (_path, file) => {
      expect(NotificationCreated.safeParse(file.message.value).error).toBeUndefined();
    },
  );

  const published = examples.filter(({ message }) => message.headers.ce_id !== undefined && !message.reason);
  it.each(named(published))('%s has CloudEvents headers that match its value', (_path, { message }) => {
    const { id, poRef, poVersion } = message.value as Record<string, unknown>;
    expect(message.key).toBe(poRef);
    expect(message.headers).toMatchObject({ ce_specversion: '1.0', ce_subject: poRef });
    expect([id, `${String(poRef)}@${String(poVersion)}`]).toContain(message.headers.ce_id);
  });
});
