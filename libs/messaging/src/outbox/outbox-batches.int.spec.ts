import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutboxFixture } from '../fixtures/outbox.js';
import type { OutgoingRecord } from '../kafka-port.js';

const MIB = 1024 * 1024;
const BATCH_BYTES = 4 * MIB;

describe('a batch of the outbox relay', () => {
  let outbox: OutboxFixture;
  /** Rows and bytes of each request. */
  let requests: { rows: number; bytes: number }[];

  beforeEach(async () => {
    outbox = await OutboxFixture.open();
    requests = [];
  });
  afterEach(() => outbox.close());

  const start = () => {
    const kafka = outbox.sendingBy((records) => {
      requests.push({ rows: records.length, bytes: bytesOf(records) });
      return outbox.kafka.producer().send(records);
    });
    outbox.start({ kafka });
  };

  it('has at most 250 small rows', async () => {
    for (let version = 1; version <= 260; version += 1) await outbox.write('A', version);
    start();
    await outbox.empty();
    expect(requests.map(({ rows }) => rows)).toEqual([250, 10]);
  });

  it('is limited to 4 MiB, with the rows of a key in order', async () => {
    for (let version = 1; version <= 5; version += 1)
      for (const key of ['A', 'B']) await outbox.write(key, version, outbox.pool, 1.5 * MIB);
    start();
    await outbox.empty();
    expect(Math.max(...requests.map(({ bytes }) => bytes))).toBeLessThanOrEqual(BATCH_BYTES);
    expect(requests.map(({ rows }) => rows)).toEqual([2, 2, 2, 2, 2]);
    for (const key of ['A', 'B']) expect(outbox.published(key)).toEqual([1, 2, 3, 4, 5]);
  });

  it('is a single row if that row exceeds the limit', async () => {
    await outbox.write('A', 1);
    await outbox.write('B', 1, outbox.pool, 6 * MIB);
    await outbox.write('A', 2);
    start();
    await outbox.empty();
    expect(requests.map(({ rows }) => rows)).toEqual([1, 1, 1]);
    expect(outbox.published('B')).toEqual([1]);
    expect(outbox.published('A')).toEqual([1, 2]);
  });
});

function bytesOf(records: readonly OutgoingRecord[]): number {
  return records.reduce((sum, { value }) => sum + Buffer.byteLength(value ?? ''), 0);
}
