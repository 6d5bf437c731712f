import { afterEach, expect, it } from '@jest/globals';
import { GROUPS, HEADERS, TOPICS, TOPIC_MANIFEST, deadLetterTopic } from '@po/contracts';
import { pino } from 'pino';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { IncomingRecord } from '../kafka-port.js';
import { Publisher } from '../publishing/publisher.js';
import { deadLetter } from './dead-letters.js';
import { deadLetterOf, reasonNotToSend, originalOf } from './redrive.js';

const MAX_BYTES = 1_000;
const LETTERS = deadLetterTopic(GROUPS.inventory);
const silent = pino({ level: 'silent' });

const kafka = new InMemoryKafka(TOPIC_MANIFEST.map((topic) => ({ ...topic, maxMessageBytes: MAX_BYTES })));
const publisher = new Publisher(kafka, { acks: 'all', logger: silent });
afterEach(() => publisher.close());

const record = (given: Partial<IncomingRecord>): IncomingRecord => ({
  topic: TOPICS.inventory,
  partition: 3,
  offset: '17',
  key: Buffer.from('PO-1'),
  value: Buffer.from('{}'),
  headers: {},
  rawHeaders: { 'x-a': [Buffer.from('1'), Buffer.from('2')] },
  timestamp: 0,
  ...given,
});

it('a dead letter has the record with all its headers, or only its origin if the record cannot be stored', async () => {
  const given = [
    record({}),
    record({ value: Buffer.alloc(MAX_BYTES + 1) }),
    record({
      value: null,
      key: null,
      unreadable: 'offsets 15 to 17 cannot be read: the CRC of a record batch is wrong',
    }),
  ];
  for (const one of given) {
    expect(await deadLetter(publisher, GROUPS.inventory, one, 'why', silent, () => false)).toBe(true);
  }
  const letters = kafka.records(LETTERS).toSorted((one, other) => one.partition - other.partition);
  const [kept, ...others] = [
    ...letters.filter(({ value }) => value !== null),
    ...letters.filter(({ value }) => value === null),
  ].map(deadLetterOf);
  expect(kept?.record.rawHeaders['x-a']).toEqual([Buffer.from('1'), Buffer.from('2')]);
  expect(kept && [reasonNotToSend(kept), originalOf(kept)?.headers['x-a']]).toEqual([
    null,
    given[0]?.rawHeaders['x-a'],
  ]);
  expect(others.map(({ record: { key } }) => String(key)).toSorted()).toEqual(['PO-1', 'null']);
  for (const letter of others) {
    expect(letter.origin).toEqual({ topic: TOPICS.inventory, partition: 3, offset: '17' });
    expect(letter.record.headers[HEADERS.deadLetterWithout]).toBe('record');
    expect([reasonNotToSend(letter), originalOf(letter)]).toEqual(['the letter has no copy of its record', null]);
  }
});

it('a dead letter is sent again until it is stored, and the log says why it is not', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => lines.push(line) });
  const answers = [0, 0];
  const failing = new InMemoryKafka(TOPIC_MANIFEST, { random: () => answers.pop() ?? 1, rejected: 0.5 });
  const letters = new Publisher(failing, { acks: 'all', logger: silent });
  expect(await deadLetter(letters, GROUPS.inventory, record({}), 'why', logger, () => false)).toBe(true);
  expect(answers).toEqual([]);
  expect(failing.records(LETTERS)).toMatchObject([{ value: Buffer.from('{}') }]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { msg: 'a record goes to the dead-letter topic', partition: 3, offset: '17' },
    { msg: 'a dead letter could not be stored; trying again', partition: 3, offset: '17' },
    { msg: 'a dead letter could not be stored; trying again', partition: 3, offset: '17' },
  ]);
  await letters.close();
});
