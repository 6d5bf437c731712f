import { expect, it } from '@jest/globals';
import { HEADERS, TOPICS, deadLetterTopic } from '@po/contracts';
import { type Logger, pino } from 'pino';
import { z } from 'zod';
import { eventually } from '@po/testing/eventually';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { Publisher } from '../publishing/publisher.js';
import { EventConsumer } from './event-consumer.js';

const GROUP = 'things' as never;
const record = (offset: number) => ({
  topic: 'things.v1',
  partition: 0,
  offset: String(offset),
  key: null,
  value: Buffer.from('{}'),
  headers: { [HEADERS.cloudEventType]: 'thing' },
  rawHeaders: {},
  timestamp: 0,
});

const consumerOf = (
  logger: Logger,
  handle: () => Promise<void>,
  deadLetters = new Publisher(new InMemoryKafka(), { acks: 'all', logger }),
  typeHeader: string = HEADERS.cloudEventType,
) =>
  new EventConsumer({
    group: GROUP,
    logger,
    typeHeader,
    schemas: { thing: z.unknown() },
    deadLetters,
    handlerOf: () => handle,
  });

it('an event consumer logs once why many events wait', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  let tried = 0;
  const events = consumerOf(logger, () => {
    tried += 1;
    return Promise.reject(new Error('the store is away'));
  });
  await Promise.all(Array.from({ length: 50 }, (_, offset) => events.handle(record(offset), () => tried >= 50)));
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'an event could not be handled; trying again',
  ]);
});

it.each([
  ['info', TOPICS.state, 'PO-1', [{ poRef: 'PO-1' }]],
  ['info', TOPICS.users, 'li@example.com', [{}]],
  ['info', TOPICS.users, 'PO-1', [{}]],
  ['info', TOPICS.state, null, [{}]],
  ['warn', TOPICS.state, 'PO-1', []],
])(
  'an event consumer at level %s logs a handled record of %s with the key %s as %j',
  async (level, topic, key, expected) => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino(
      { level, base: null, timestamp: false },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    let failures = 1;
    const events = consumerOf(logger, () =>
      failures-- > 0 ? Promise.reject(new Error('the store is away')) : Promise.resolve(),
    );
    await events.handle({ ...record(7), topic, key: key === null ? null : Buffer.from(key) }, () => false);
    const line = {
      level: 30,
      msg: 'event handled',
      type: 'thing',
      topic,
      partition: 0,
      offset: '7',
      outcome: 'handled',
    };
    const durationMs: unknown = expect.any(Number);
    expect(lines.filter(({ err }) => !err)).toEqual(expected.map((fields) => ({ ...line, durationMs, ...fields })));
  },
);

it('an event consumer dead-letters an event after several defects in a row; another failure resets the count', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const topic = deadLetterTopic(GROUP);
  const kafka = new InMemoryKafka([{ topic, partitions: 1, retention: 1, maxMessageBytes: 1_000_000 }]);
  const deadLetters = new Publisher(kafka, { acks: 'all', logger });
  const failures: Error[] = [new TypeError('x is undefined'), new Error('away')];
  let attempts = 0;
  const consume = () => {
    attempts += 1;
    return Promise.reject(failures.shift() ?? new TypeError('y is undefined'));
  };
  const events = consumerOf(logger, consume, deadLetters);
  await expect(events.handle(record(7), () => false)).resolves.toBe(true);
  expect(attempts).toBe(2 + 5);
  expect(lines.filter((line) => line.includes('"msg":"a record goes to'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('"handled"'))).toEqual([]);
  const [letter] = await eventually(
    'it is dead-lettered',
    () => kafka.records(topic).length === 1 && kafka.records(topic),
  );
  expect(letter?.headers[HEADERS.deadLetterReason]).toBe(
    'failed 5 times because of a defect: TypeError: y is undefined',
  );
  await deadLetters.close();
});

it.each([
  [HEADERS.inventoryType, ['other', 'thing'], ['header type has different values: other, thing']],
  [HEADERS.inventoryType, ['thing', 'thing'], []],
  [HEADERS.cloudEventType, ['other', 'thing'], []],
])(
  'an event consumer with the type header %s dead-letters a record with the types %j as %j',
  async (name, types, reasons) => {
    const logger = pino({ level: 'silent' });
    const topic = deadLetterTopic(GROUP);
    const kafka = new InMemoryKafka([{ topic, partitions: 1, retention: 1, maxMessageBytes: 1_000_000 }]);
    const deadLetters = new Publisher(kafka, { acks: 'all', logger });
    let handled = 0;
    const events = consumerOf(logger, () => Promise.resolve(void (handled += 1)), deadLetters, name);
    const rawHeaders = { [name]: types.map((type) => Buffer.from(type)) };
    await events.handle({ ...record(7), headers: { [name]: 'thing' }, rawHeaders }, () => false);
    await deadLetters.close();
    const letters = kafka.records(topic);
    expect(letters.map(({ headers }) => headers[HEADERS.deadLetterReason])).toEqual(reasons);
    expect(letters.map((letter) => letter.rawHeaders[name])).toEqual(reasons.map(() => rawHeaders[name]));
    expect(handled).toBe(1 - reasons.length);
  },
);
