import { beforeEach, describe, expect, it } from '@jest/globals';
import { GROUPS, HEADERS, TOPICS, deadLetterTopic } from '@po/contracts';
import { pino } from 'pino';
import { deadLetter } from './dead-letters.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { IncomingRecord, OutgoingRecord } from '../kafka-port.js';
import { Publisher } from '../publishing/publisher.js';
import {
  type DeadLetter,
  deadLetterOf,
  newestRecords,
  reasonNotToSend,
  originalOf,
  positionName,
  readDeadLetters,
  surveyOf,
} from './redrive.js';

const GROUP = GROUPS.inventory;
const logger = pino({ level: 'silent' });

describe('a dead letter', () => {
  let kafka: InMemoryKafka;
  beforeEach(() => {
    kafka = new InMemoryKafka();
  });

  const send = (...records: OutgoingRecord[]) => kafka.producer().send(records);
  const setAside = async (record: IncomingRecord | undefined, reason: string) => {
    const publisher = new Publisher(kafka, { acks: 'all', logger });
    expect(await deadLetter(publisher, GROUP, record as IncomingRecord, reason, logger, () => false)).toBe(true);
    await publisher.close();
  };
  const letters = async () => {
    const found: DeadLetter[] = [];
    await readDeadLetters(kafka, GROUP, (letter) => void found.push(letter));
    return found;
  };
  const latest = (topic: string) =>
    kafka
      .records(topic)
      .toSorted((a, b) => Number(a.offset) - Number(b.offset))
      .at(-1);

  it('has its position, its origin and its reason', async () => {
    expect(await letters()).toEqual([]);
    await send({ topic: TOPICS.inventory, key: 'PO-1', value: '{', headers: { type: 'x' }, partition: 7 });
    await setAside(latest(TOPICS.inventory), 'the value is not JSON');
    const [letter] = await letters();
    expect(letter).toMatchObject({
      position: { topic: deadLetterTopic(GROUP), offset: '0' },
      origin: { topic: TOPICS.inventory, partition: 7, offset: '0' },
      reason: 'the value is not JSON',
    });
  });

  const values = [Buffer.from([0xff, 0x00, 0x7b]), Buffer.alloc(0), null];
  it.each(values)('is redriven as the original record, byte for byte: %p', async (value) => {
    const binary = Buffer.from([0xfe, 0x01]);
    const original = { topic: TOPICS.inventory, key: null, value, headers: { type: 'x', binary }, partition: 5 };
    await send(original);
    await setAside(latest(TOPICS.inventory), 'bad');
    const [letter] = await letters();
    expect(originalOf(letter as DeadLetter)).toEqual({
      ...original,
      headers: {
        type: Buffer.from('x'),
        binary,
        [HEADERS.redrivenFrom]: positionName((letter as DeadLetter).position),
      },
    });
  });

  it('that was redriven and returned names only its previous letter', async () => {
    await send({ topic: TOPICS.inventory, key: 'PO-1', value: '{', headers: {} });
    await setAside(latest(TOPICS.inventory), 'bad');
    for (const round of [1, 2]) {
      const before = await letters();
      await send(originalOf(before.at(-1) as DeadLetter) as OutgoingRecord);
      await setAside(latest(TOPICS.inventory), `bad again, ${round}`);
    }
    const found = await letters();
    expect(found.map(({ reason }) => reason)).toEqual(['bad', 'bad again, 1', 'bad again, 2']);
    expect(found.map(({ record }) => record.headers[HEADERS.redrivenFrom])).toEqual([
      undefined,
      positionName((found[0] as DeadLetter).position),
      positionName((found[1] as DeadLetter).position),
    ]);
    expect((await surveyOf(kafka, GROUP)).returned).toEqual(
      new Set(found.slice(0, 2).map(({ position }) => positionName(position))),
    );
  });

  it('of a compacted topic is not redriven after a newer record of its key, which compaction would then remove', async () => {
    const state = (key: string, value: string) => ({ topic: TOPICS.state, key, value, headers: {}, partition: 0 });
    await send(state('PO-1', 'old'));
    await setAside(latest(TOPICS.state), 'bad');
    await send(state('PO-1', 'new'), state('PO-2', 'only'));
    await setAside(latest(TOPICS.state), 'bad');
    const newest = await newestRecords(kafka, (await surveyOf(kafka, GROUP)).origins);
    expect((await letters()).map((letter) => reasonNotToSend(letter, newest))).toEqual([
      'po.state.v1 has a newer record of its key',
      null,
    ]);
  });

  const from = (topic: string, partition: string, offset: string) => ({
    [HEADERS.deadLetterTopic]: topic,
    [HEADERS.deadLetterPartition]: partition,
    [HEADERS.deadLetterOffset]: offset,
  });
  const foreign: Record<string, string>[] = [
    {},
    from('a.topic.of.others', '0', '0'),
    from(TOPICS.inventory, '-1', '0'),
    from(TOPICS.inventory, '0', '1e3'),
    from(TOPICS.inventory, '', '0'),
  ];
  it.each(foreign)('without a valid origin is listed, but cannot be redriven: %p', async (headers) => {
    await send({ topic: deadLetterTopic(GROUP), key: 'PO-1', value: '{}', headers });
    const [record] = kafka.records(deadLetterTopic(GROUP));
    const letter = deadLetterOf(record as IncomingRecord);
    expect(letter.origin).toBeNull();
    expect(originalOf(letter)).toBeNull();
  });
});
