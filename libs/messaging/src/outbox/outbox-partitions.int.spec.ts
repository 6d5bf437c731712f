import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { overridePort } from '@po/testing/override-port';
import { OutboxFixture } from '../fixtures/outbox.js';
import { RecordRefusedError } from '../kafka-port.js';
import { outboxFailures } from '../metrics.js';

const PARTITIONS = 12;
/** The partition that the in-memory adapter picks. */
const partitionOf = (key: string): number => crc32(key) % PARTITIONS;
/** Keys of one partition. */
const keysOn = (partition: number, count: number): string[] => {
  const keys: string[] = [];
  for (let index = 0; keys.length < count; index += 1)
    if (partitionOf(`PO-${index}`) === partition) keys.push(`PO-${index}`);
  return keys;
};

describe('the outbox relay, while a partition is unavailable', () => {
  let outbox: OutboxFixture;

  beforeEach(async () => {
    outbox = await OutboxFixture.open();
  });
  afterEach(() => outbox.close());

  const failures = async () => (await outboxFailures.get()).values[0]?.value ?? 0;

  it('publishes each row of other partitions once, even behind more blocked rows than fit into a batch', async () => {
    const [waiting, healthy] = [keysOn(0, 300), keysOn(1, 20)];
    outbox.kafka.setLeader(TOPICS.state, 0, false);
    for (const key of [...waiting, ...healthy]) await outbox.write(key, 1);
    outbox.start();
    await eventually('only the rows of that partition wait', async () => (await outbox.pending()) === waiting.length);
    await outbox.write(healthy[0] as string, 2);
    await eventually(
      'a new row of another partition is published',
      async () => (await outbox.pending()) === waiting.length,
    );
    expect(outbox.published(healthy[0] as string)).toEqual([1, 2]);
    for (const key of healthy.slice(1)) expect(outbox.published(key)).toEqual([1]);
    outbox.kafka.setLeader(TOPICS.state, 0, true);
    await outbox.empty();
    for (const key of waiting) expect(outbox.published(key)).toEqual([1]);
  });

  it('keeps the order of a key when only one of its topics refuses records', async () => {
    const key = keysOn(0, 1)[0] as string;
    outbox.kafka.setLeader(TOPICS.transitions, 0, false);
    await outbox.write(key, 1, outbox.pool, 0, [TOPICS.transitions, TOPICS.state]);
    await outbox.write(key, 2);
    await outbox.write('other', 1);
    outbox.start();
    await eventually('the other order is published', () => outbox.published('other').length === 1);
    await eventually('both rows wait', async () => (await outbox.pending()) === 2);
    outbox.kafka.setLeader(TOPICS.transitions, 0, true);
    await outbox.empty();
    const versions = outbox.published(key);
    expect(versions.at(-1)).toBe(2);
    expect(outbox.published(key, TOPICS.transitions)).toEqual([1]);
  });

  it('sends no later row of a key whose first row is for an unavailable partition', async () => {
    const [first, key] = keysOn(0, 2) as [string, string];
    const before = await failures();
    outbox.kafka.setLeader(TOPICS.transitions, 0, false);
    await outbox.write(first, 1, outbox.pool, 0, [TOPICS.transitions]);
    outbox.start();
    await eventually('the partition has failed', async () => (await failures()) > before);
    await outbox.write(key, 1, outbox.pool, 0, [TOPICS.transitions, TOPICS.state]);
    await outbox.write(key, 2);
    await outbox.write('other', 1);
    await eventually('the other order is published', () => outbox.published('other').length === 1);
    outbox.kafka.setLeader(TOPICS.transitions, 0, true);
    await outbox.empty();
    const versions = outbox.published(key);
    expect([versions[0], versions.at(-1)]).toEqual([1, 2]);
  });

  it('publishes to other partitions while a broker does not answer, and sends no row twice afterwards', async () => {
    const stalled = Promise.withResolvers<void>();
    const kafka = outbox.sendingEachBy((records) => {
      const results = outbox.kafka.producer().sendEach(records);
      return results.map((result, index) =>
        partitionOf(String(records[index]?.key)) === 0 ? stalled.promise.then(() => result) : result,
      );
    });
    const [slow, healthy] = [keysOn(0, 3), keysOn(1, 3)] as [string[], string[]];
    for (const key of [slow[0], ...healthy]) await outbox.write(key as string, 1);
    outbox.start({ kafka });
    await eventually('only the slow one is left', async () => (await outbox.pending()) === 1);
    for (const key of [...slow, ...healthy]) await outbox.write(key, 2);
    await eventually('only the slow ones are left', async () => (await outbox.pending()) === 4);
    stalled.resolve();
    await outbox.empty();
    for (const key of [slow[0] as string, ...healthy]) expect(outbox.published(key)).toEqual([1, 2]);
    for (const key of slow.slice(1)) expect(outbox.published(key)).toEqual([2]);
  });

  it('publishes rows that waited while the producer did not know their topic yet', async () => {
    const answer = Promise.withResolvers<void>();
    let isKnown = false;
    let sentAt = Infinity;
    const producer = outbox.kafka.producer();
    const kafka = overridePort(outbox.kafka, {
      producer: () => ({
        ...producer,
        partitionOf: (record) => (isKnown ? producer.partitionOf(record) : -1),
        sendEach: (records, options) => {
          if (isKnown) return producer.sendEach(records, options);
          sentAt = performance.now();
          const sent = answer.promise.then(() => producer.sendEach(records, options));
          return records.map((_, index) => sent.then((results) => results[index]));
        },
      }),
    });
    await outbox.write('first', 1);
    outbox.start({ kafka });
    await eventually('its answer is late', () => performance.now() - sentAt > 600);
    for (let order = 0; order < 30; order += 1) await outbox.write(`waiting-${order}`, 1);
    await eventually('they are blocked', () => performance.now() - sentAt > 1_200);
    isKnown = true;
    answer.resolve();
    await outbox.empty();
    expect(outbox.published('waiting-29')).toEqual([1]);
  });

  it('sends again to a partition that did not answer before the lease was lost', async () => {
    const answer = Promise.withResolvers<void>();
    let until: (() => number) | undefined;
    const kafka = outbox.sendingEachBy((records, options) => {
      if (until) return outbox.kafka.producer().sendEach(records);
      until = options?.until;
      return records.map(() => answer.promise);
    });
    const [slow, waiting, healthy] = [...keysOn(0, 2), ...keysOn(1, 1)] as [string, string, string];
    await outbox.write(slow, 1);
    outbox.start({ kafka });
    await eventually('it is sent', () => until !== undefined);
    for (const key of [waiting, healthy]) await outbox.write(key, 1);
    await eventually('others do not wait for the answer', () => outbox.published(healthy).length === 1);
    expect(outbox.published(waiting)).toEqual([]);
    await outbox.transferLeases();
    await eventually('the lease is lost', () => (until?.() ?? Infinity) < performance.now());
    answer.reject(new Error('the lease ended before an answer came'));
    await outbox.pool.query(`UPDATE outbox_leases SET owner = NULL, expires_at = '-infinity'`);
    await outbox.empty();
    for (const key of [slow, waiting]) expect(outbox.published(key)).toEqual([1]);
  });

  it('parks a row that the broker rejects, and publishes the other rows of its batch in order', async () => {
    const [bad, neighbour] = keysOn(0, 2) as [string, string];
    const kafka = outbox.sendingEachBy((records) => {
      const refused = records.some(({ key, headers }) => key === bad && headers.v === '2');
      const taken = records.filter(({ key }) => !refused || partitionOf(String(key)) !== 0);
      const results = outbox.kafka.producer().sendEach(taken);
      return records.map((record) => {
        const index = taken.indexOf(record);
        return index < 0 ? Promise.reject(new RecordRefusedError('INVALID_RECORD')) : (results[index] as Promise<void>);
      });
    });
    for (const version of [1, 2, 3]) for (const key of [bad, neighbour, 'other']) await outbox.write(key, version);
    outbox.start({ kafka });
    await eventually('only the refused row and the one behind it are left', async () => (await outbox.pending()) === 2);
    expect([bad, neighbour, 'other'].map((key) => outbox.published(key))).toEqual([[1], [1, 2, 3], [1, 2, 3]]);
    const { rows } = await outbox.pool.query('SELECT key, version, parked_reason FROM outbox ORDER BY position');
    expect(rows).toEqual([
      { key: bad, version: 2, parked_reason: 'INVALID_RECORD' },
      { key: bad, version: 3, parked_reason: null },
    ]);
  });

  it('parks no row for a missing or forbidden topic, and publishes it when the topic is available', async () => {
    let allowed = false;
    const kafka = outbox.sendingEachBy((records) => {
      const results = outbox.kafka
        .producer()
        .sendEach(records.filter(({ topic }) => allowed || topic === TOPICS.state));
      return records.map(({ topic }) =>
        allowed || topic === TOPICS.state
          ? (results.shift() as Promise<void>)
          : Promise.reject(new Error('TOPIC_AUTHORIZATION_FAILED')),
      );
    });
    await outbox.write('A', 1, outbox.pool, 0, [TOPICS.transitions]);
    await outbox.write('B', 1);
    outbox.start({ kafka });
    await eventually('only the forbidden one waits', async () => (await outbox.pending()) === 1);
    const { rows } = await outbox.pool.query('SELECT key, parked_reason FROM outbox');
    expect(rows).toEqual([{ key: 'A', parked_reason: null }]);
    allowed = true;
    await outbox.empty();
    expect(outbox.published('A', TOPICS.transitions)).toEqual([1]);
  });
});
