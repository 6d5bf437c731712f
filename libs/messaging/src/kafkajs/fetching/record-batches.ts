import { crc32c } from '@node-rs/crc32';
import { MAX_BATCH_BYTES } from '@po/contracts';
import { decompress } from './compression.js';

// The layout of a record batch of version 2: https://kafka.apache.org/documentation/#recordbatch. KafkaJS's decoder drops the last offset
// of a batch, so a batch without records, as compaction leaves it (KAFKA-5490), would be fetched forever. It also checks no CRC, does not
// limit decompression, and discards the answers of all partitions if one batch is unreadable.
const LENGTH_AT = 8;
const EPOCH_AT = 12;
const MAGIC_AT = 16;
const CRC_AT = 17;
const ATTRIBUTES_AT = 21;
const LAST_OFFSET_DELTA_AT = 23;
const FIRST_TIMESTAMP_AT = 27;
const MAX_TIMESTAMP_AT = 35;
const PRODUCER_ID_AT = 43;
const COUNT_AT = 57;
const RECORDS_AT = 61;
/** Bytes not counted by the length of a batch: its first offset and the length itself. */
const UNCOUNTED = 12;

const MAGIC = 2;
const COMPRESSION = 0x07;
const LOG_APPEND_TIME = 0x08;
const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;
/** The type of a control record that ends an aborted transaction; it follows the version in the record's key. */
const ABORT = 0;
/** A record has at least six varints and one byte of attributes. */
const MIN_RECORD_BYTES = 7;

export interface DecodedRecord {
  offset: bigint;
  /** Epoch milliseconds. */
  timestamp: bigint;
  key: Buffer | null;
  value: Buffer | null;
  headers: readonly (readonly [name: string, value: Buffer | null])[];
}

/** A permanently unreadable batch. */
interface UndecodableBatch {
  firstOffset: bigint;
  lastOffset: bigint;
  reason: string;
}

export interface DecodedBatches {
  records: DecodedRecord[];
  undecodable: UndecodableBatch[];
  /** The next offset to fetch, after the last complete batch. */
  next: bigint;
  /** The leader epoch of the last complete batch (KIP-101); -1 if there is none. */
  epoch: number;
  /** Uncompressed size. */
  bytes: number;
}

export interface AbortedTransaction {
  producerId: bigint;
  firstOffset: bigint;
}

/**
 * Decodes the record batches of one partition, fetched from offset `start`; the last one may be truncated. Omits records below `start`,
 * control records and records of aborted transactions. Stops after `budget` uncompressed bytes, but not before the first batch.
 */
export async function decodeBatches(
  bytes: Buffer,
  start: bigint,
  { aborted = [], budget = Infinity }: { aborted?: readonly AbortedTransaction[]; budget?: number } = {},
): Promise<DecodedBatches> {
  const decoded: DecodedBatches = { records: [], undecodable: [], next: start, epoch: -1, bytes: 0 };
  const isAborted = abortedBatches(aborted);
  for (let at = 0; at + RECORDS_AT <= bytes.length && decoded.bytes < budget;) {
    const end = at + UNCOUNTED + bytes.readInt32BE(at + LENGTH_AT);
    if (end < at + RECORDS_AT) throw new RangeError(`a record batch at ${bytes.readBigInt64BE(at)} has no length`);
    if (end > bytes.length) break;
    const batch = bytes.subarray(at, end);
    const firstOffset = batch.readBigInt64BE(0);
    const lastOffset = firstOffset + BigInt(batch.readInt32BE(LAST_OFFSET_DELTA_AT));
    if (lastOffset >= start) {
      try {
        const { records, size } = await recordsOfBatch(batch, firstOffset);
        decoded.bytes += size;
        if (!isAborted(batch, firstOffset, records)) {
          for (const record of records) if (record.offset >= start) decoded.records.push(record);
        }
      } catch (error) {
        decoded.undecodable.push({ firstOffset, lastOffset, reason: (error as Error).message });
      }
      decoded.next = lastOffset + 1n;
      decoded.epoch = batch.readInt32BE(EPOCH_AT);
    }
    at = end;
  }
  return decoded;
}

async function recordsOfBatch(batch: Buffer, firstOffset: bigint): Promise<{ records: DecodedRecord[]; size: number }> {
  const magic = batch.readInt8(MAGIC_AT);
  if (magic !== MAGIC) throw new Error(`a record batch of version ${magic}; only ${MAGIC} can be read`);
  if (crc32c(batch.subarray(ATTRIBUTES_AT)) !== batch.readUInt32BE(CRC_AT))
    throw new Error('the CRC of a record batch is wrong');
  const attributes = batch.readInt16BE(ATTRIBUTES_AT);
  const count = batch.readInt32BE(COUNT_AT);
  const codec = attributes & COMPRESSION;
  const stored = batch.subarray(RECORDS_AT);
  const bytes = codec === 0 || count === 0 ? stored : await decompress(codec, stored, MAX_BATCH_BYTES);
  if (count < 0 || count * MIN_RECORD_BYTES > bytes.length)
    throw new RangeError(`${count} records cannot be in a batch`);
  const first = batch.readBigInt64BE(FIRST_TIMESTAMP_AT);
  const appended = attributes & LOG_APPEND_TIME ? batch.readBigInt64BE(MAX_TIMESTAMP_AT) : null;
  const reader = new VarintReader(bytes);
  const records: DecodedRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const end = reader.varint() + reader.at;
    // Attributes, which are unused so far.
    reader.at += 1;
    const timestamp = first + reader.varlong();
    const offset = firstOffset + BigInt(reader.varint());
    const key = reader.bytes();
    const value = reader.bytes();
    const headers = Array.from({ length: reader.count() }, () => {
      const name = reader.bytes()?.toString('utf8') ?? '';
      return [name, reader.bytes()] as const;
    });
    if (reader.at !== end) throw new RangeError(`the record at ${offset} does not have the length that it declares`);
    records.push({ offset, timestamp: appended ?? timestamp, key, value, headers });
  }
  return { records, size: bytes.length };
}

/** Returns a predicate to call for each batch in order: true for control batches and for batches of aborted transactions. */
function abortedBatches(aborted: readonly AbortedTransaction[]) {
  const waiting = aborted.toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  const open = new Set<bigint>();
  return (batch: Buffer, firstOffset: bigint, records: readonly DecodedRecord[]): boolean => {
    const attributes = batch.readInt16BE(ATTRIBUTES_AT);
    const producerId = batch.readBigInt64BE(PRODUCER_ID_AT);
    while (waiting[0] && waiting[0].firstOffset <= firstOffset)
      open.add((waiting.shift() as AbortedTransaction).producerId);
    if (attributes & CONTROL) {
      if (records[0]?.key?.readInt16BE(2) === ABORT) open.delete(producerId);
      return true;
    }
    return Boolean(attributes & TRANSACTIONAL) && open.has(producerId);
  };
}

/** Reads zigzag varints (as in Protocol Buffers) and length-prefixed fields. Throws a RangeError beyond the end. */
class VarintReader {
  at = 0;

  constructor(private readonly buffer: Buffer) {}

  varint(): number {
    const value = Number(this.varlong());
    if (value !== (value | 0)) throw new RangeError('a varint of a record is too large');
    return value;
  }

  varlong(): bigint {
    let low = 0;
    // Nearly all values have up to four bytes, which need no bigint.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt((low >>> 1) ^ -(low & 1));
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return (value >> 1n) ^ -(value & 1n);
    }
    throw new RangeError('a varint of a record is too long');
  }

  count(): number {
    const count = this.varint();
    if (count < 0 || count > this.buffer.length - this.at)
      throw new RangeError(`${count} headers cannot be in a record`);
    return count;
  }

  /** A length-prefixed field; null for length -1. */
  bytes(): Buffer | null {
    const length = this.varint();
    if (length === -1) return null;
    const end = this.at + length;
    if (length < 0 || end > this.buffer.length) throw new RangeError('a field of a record is truncated');
    const bytes = this.buffer.subarray(this.at, end);
    this.at = end;
    return bytes;
  }

  private byte(): number {
    const byte = this.buffer[this.at];
    if (byte === undefined) throw new RangeError('a record is truncated');
    this.at += 1;
    return byte;
  }
}
