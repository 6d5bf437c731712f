import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { crc32c } from '@node-rs/crc32';
import fc from 'fast-check';
import { anyCharacter } from '@po/testing/any-character';
import { kafkaJsModule } from '../patches/patch-kafkajs.js';
import { decodeBatches } from './record-batches.js';

interface Encoded {
  buffer: Buffer;
}

const RecordBatch = kafkaJsModule<{ RecordBatch: (batch: object) => Promise<Encoded> }>(
  'protocol/recordBatch/v0/index',
);
const Record = kafkaJsModule<(record: object) => Encoded>('protocol/recordBatch/record/v0/index');
const Compression = kafkaJsModule<{ Types: { [name: string]: number } }>('protocol/message/compression/index');

interface Written {
  key: Buffer | null;
  value: Buffer | null;
  headers: { [name: string]: Buffer };
}

interface BatchOptions {
  firstOffset?: bigint;
  attributes?: number;
  epoch?: number;
  producerId?: number;
  compressed?: boolean;
}

const recordAt = (index: number, record: Written) => Record({ ...record, offsetDelta: index, timestampDelta: index });

/** A batch as KafkaJS encodes it, with its records from `firstOffset` on. */
const batchOf = (records: readonly Written[], options?: BatchOptions) =>
  batchOfEncoded(
    records.map((record, index) => recordAt(index, record)),
    options,
  );

async function batchOfEncoded(
  records: readonly Encoded[],
  { firstOffset = 0n, attributes = 0, epoch = 0, producerId = -1, compressed = false }: BatchOptions = {},
): Promise<Buffer> {
  const { buffer } = await RecordBatch.RecordBatch({
    firstOffset: 0,
    firstTimestamp: 1_000,
    maxTimestamp: 1_000 + records.length,
    producerId,
    producerEpoch: 0,
    firstSequence: 0,
    lastOffsetDelta: records.length - 1,
    transactional: false,
    partitionLeaderEpoch: 0,
    compression: compressed ? Compression.Types.GZIP : Compression.Types.None,
    records,
  });
  const batch = Buffer.from(buffer);
  batch.writeBigInt64BE(firstOffset, 0);
  batch.writeInt32BE(epoch, 12);
  batch.writeInt16BE(batch.readInt16BE(21) | attributes, 21);
  return sealed(batch);
}

/** Writes the correct length and CRC. */
function sealed(batch: Buffer): Buffer {
  batch.writeInt32BE(batch.length - 12, 8);
  batch.writeUInt32BE(crc32c(batch.subarray(21)), 17);
  return batch;
}

/** The rest that the log cleaner leaves of a batch whose records were all replaced. */
async function emptied(firstOffset: bigint): Promise<Buffer> {
  const batch = (await batchOf([text('gone'), text('gone')], { firstOffset })).subarray(0, 61);
  batch.writeInt32BE(0, 57);
  return sealed(batch);
}

const text = (value: string): Written => ({ key: Buffer.from('k'), value: Buffer.from(value), headers: {} });
const values = ({ records }: { records: readonly { offset: bigint; value: Buffer | null }[] }) =>
  records.map(({ offset, value }) => `${offset} ${String(value)}`);

const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
const written = fc.record({
  key: fc.option(bytes),
  value: fc.option(bytes),
  headers: fc.dictionary(fc.string({ unit: anyCharacter, minLength: 1 }), bytes, { maxKeys: 4, noNullPrototype: true }),
});

describe('decodeBatches', () => {
  it('decodes a batch with more records than a function can take arguments', async () => {
    const count = 200_000;
    const empty = { key: null, value: null, headers: {} };
    // KafkaJS would take seconds to encode each record separately.
    const others = new Array<Encoded>(count - 1).fill(recordAt(1, empty));
    const batch = await batchOfEncoded([recordAt(0, empty), ...others]);
    const decoded = await decodeBatches(batch, 1n);
    expect({ ...decoded, records: decoded.records.length }).toMatchObject({ records: count - 1, undecodable: [] });
  });

  it('decodes batches of KafkaJS from any offset on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(written, { minLength: 1, maxLength: 5 }), fc.boolean()), { maxLength: 4 }),
        fc.nat(20),
        async (batches, skipped) => {
          const parts: Buffer[] = [];
          let offset = 0n;
          for (const [records, compressed] of batches) {
            parts.push(await batchOf(records, { firstOffset: offset, compressed }));
            offset += BigInt(records.length);
          }
          const start = BigInt(skipped);
          const decoded = await decodeBatches(Buffer.concat(parts), start);
          const expected = batches.flatMap(([records]) => records).slice(skipped);
          expect(decoded.records.map(({ offset: at }) => at)).toEqual(
            expected.map((_, index) => start + BigInt(index)),
          );
          expect(
            decoded.records.map(({ key, value, headers }) => ({ key, value, headers: Object.fromEntries(headers) })),
          ).toEqual(expected);
          expect(decoded.undecodable).toEqual([]);
          expect(decoded.next).toBe(offset > start ? offset : start);
        },
      ),
    );
  });

  it('continues after batches that compaction emptied', async () => {
    const parts = [
      await emptied(0n),
      await emptied(2n),
      await batchOf([text('a')], { firstOffset: 9n }),
      await emptied(12n),
    ];
    const decoded = await decodeBatches(Buffer.concat(parts), 0n);
    expect(values(decoded)).toEqual(['9 a']);
    expect(decoded).toMatchObject({ next: 14n, undecodable: [] });
    expect(await decodeBatches(parts[0] as Buffer, 0n)).toMatchObject({ next: 2n, records: [] });
  });

  it('leaves a truncated batch to the next fetch', async () => {
    const whole = await batchOf([text('a')], { epoch: 3 });
    const half = (await batchOf([text('b')], { firstOffset: 1n })).subarray(0, -1);
    expect(await decodeBatches(Buffer.concat([whole, half]), 0n)).toMatchObject({ next: 1n, epoch: 3 });
    expect(await decodeBatches(half, 1n)).toMatchObject({ next: 1n, records: [], epoch: -1 });
  });

  it('skips an unreadable batch, and reports it', async () => {
    const wrongCrc = await batchOf([text('x'), text('x')], { firstOffset: 1n });
    wrongCrc.writeUInt8(0xff, wrongCrc.length - 1);
    const secondMember = await batchOf([text('y')], { firstOffset: 3n, compressed: true });
    const broken = sealed(Buffer.concat([secondMember, Buffer.from('1f8b08ff', 'hex')]));
    const older = await batchOf([text('z')], { firstOffset: 4n });
    older.writeInt8(1, 16);
    const parts = [
      await batchOf([text('a')]),
      wrongCrc,
      broken,
      older,
      await batchOf([text('b')], { firstOffset: 5n }),
    ];
    const decoded = await decodeBatches(Buffer.concat(parts), 0n);
    expect(values(decoded)).toEqual(['0 a', '5 b']);
    expect(decoded.undecodable.map(({ firstOffset, lastOffset }) => [firstOffset, lastOffset])).toEqual([
      [1n, 2n],
      [3n, 3n],
      [4n, 4n],
    ]);
    expect(decoded.next).toBe(6n);
  });

  it('limits the decompressed size of a batch', async () => {
    const bomb = await batchOf([text('x'.repeat(33 * 1024 * 1024))], { compressed: true });
    const { records, undecodable } = await decodeBatches(bomb, 0n);
    expect(records).toEqual([]);
    const reason = 'a batch may have at most 32 MiB uncompressed';
    expect(undecodable).toEqual([{ firstOffset: 0n, lastOffset: 0n, reason }]);
  });

  it('stops at the byte limit, but never before the first batch', async () => {
    const parts = [await batchOf([text('a')]), await batchOf([text('b')], { firstOffset: 1n })];
    expect(values(await decodeBatches(Buffer.concat(parts), 0n, { budget: 1 }))).toEqual(['0 a']);
  });

  it('leaves out control records and records of aborted transactions', async () => {
    const [TRANSACTIONAL, CONTROL] = [0x10, 0x20];
    const end = (type: number): Written => ({ key: Buffer.from([0, 0, 0, type]), value: Buffer.alloc(6), headers: {} });
    const of = (record: Written, firstOffset: bigint, producerId: number, attributes: number) =>
      batchOf([record], { firstOffset, producerId, attributes });
    const parts = [
      await of(text('taken back'), 0n, 7, TRANSACTIONAL),
      await of(text('of another'), 1n, 8, TRANSACTIONAL),
      await of(end(0), 2n, 7, TRANSACTIONAL | CONTROL),
      await of(text('kept'), 3n, 7, TRANSACTIONAL),
      await of(end(1), 4n, 7, TRANSACTIONAL | CONTROL),
      await of(end(1), 5n, 8, TRANSACTIONAL | CONTROL),
    ];
    const aborted = [{ producerId: 7n, firstOffset: 0n }];
    const decoded = await decodeBatches(Buffer.concat(parts), 0n, { aborted });
    expect(values(decoded)).toEqual(['1 of another', '3 kept']);
    expect(decoded.next).toBe(6n);
  });

  it('terminates for any bytes', async () => {
    const good = Buffer.concat([
      await batchOf([text('a'), text('b')]),
      await batchOf([text('c')], { firstOffset: 2n, compressed: true }),
    ]);
    const gzipped = await promisify(gzip)('nothing of Kafka');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (changes, reseal) => {
          const bad = Buffer.from(good);
          for (const [at, byte] of changes) bad.writeUInt8(byte, at);
          const { length } = await batchOf([text('a'), text('b')]);
          if (reseal) bad.writeUInt32BE(crc32c(bad.subarray(21, length)), 17);
          const outcome = await decodeBatches(bad, 0n).then(
            () => 'decoded',
            (error: Error) => error.constructor,
          );
          expect(['decoded', RangeError]).toContain(outcome);
        },
      ),
    );
    expect((await decodeBatches(gzipped, 0n)).records).toEqual([]);
  });
});
