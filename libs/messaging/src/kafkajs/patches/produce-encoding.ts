import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { crc32c } from './crc32c.js';

type Text = string | Buffer;

interface ProducedMessage {
  key?: Text | null;
  value: Text | null;
  headers?: Record<string, Text | Text[] | undefined>;
  timestamp?: string;
}

interface ProducedPartition {
  partition: number;
  firstSequence?: number;
  /** Of this partition's batch, if not the request's: each batch has its own in Kafka's format. KafkaJS knows only the request's. */
  producerId?: string;
  producerEpoch?: number;
  messages: ProducedMessage[];
}

/** The input of KafkaJS's encoder of a Produce request, versions 3 to 7. */
export interface ProduceRequest {
  acks: number;
  timeout: number;
  transactionalId?: string | null;
  producerId?: string | number;
  producerEpoch?: number;
  compression?: number;
  topicData: { topic: string; partitions: ProducedPartition[] }[];
}

const MAGIC = 2;
const TRANSACTIONAL = 16;
/** From the record batch's length field to its first record. */
const BATCH_HEADER_BYTES = 49;
/** Code of gzip in the attributes of a record batch. */
const GZIP = 1;
/** Records of a partition that are more bytes are compressed: a topic takes batches of 8 MiB. */
const COMPRESS_ABOVE_BYTES = 2 * 1024 * 1024;

const compress = promisify(gzip);

/** The records of one batch. */
interface Records {
  messages: readonly ProducedMessage[];
  /** Bytes of each without its length. */
  sizes: readonly number[];
  /** Bytes of all with their lengths. */
  bytes: number;
  compressed: Buffer | null;
}

/**
 * The body of a Produce request (versions 3 to 7) with one record batch (format 2) a partition, all records of the time `now` (epoch
 * milliseconds), in one buffer of exactly its size. Records of more than 2 MiB are compressed by gzip, beside the event loop. Null for what
 * this product never sends and leaves to KafkaJS: compression of the whole, records with a time of their own, several values of one header.
 */
export async function encodeProduce(request: ProduceRequest, now: number): Promise<Buffer | null> {
  const { acks, timeout, transactionalId = null, topicData } = request;
  const batches = request.compression ? null : measure(request);
  if (!batches) return null;
  const long = batches.filter(({ bytes }) => bytes > COMPRESS_ABOVE_BYTES);
  if (long.length > 0) await Promise.all(long.map(compressRecords));
  const out = new Writer(Buffer.allocUnsafe(bytesOf(request, batches)));
  let batch = 0;
  out.nullableString(transactionalId);
  out.int16(acks);
  out.int32(timeout);
  out.int32(topicData.length);
  for (const { topic, partitions } of topicData) {
    out.nullableString(topic);
    out.int32(partitions.length);
    for (const partition of partitions) {
      writePartition(out, request, partition, batches[batch] as Records, now);
      batch += 1;
    }
  }
  return out.bytes;
}

/** The records of each partition, in their order; null where one is left to KafkaJS. */
function measure({ topicData }: ProduceRequest): Records[] | null {
  const batches: Records[] = [];
  for (const { partitions } of topicData) {
    for (const { messages } of partitions) {
      const sizes: number[] = [];
      let bytes = 0;
      for (const [index, message] of messages.entries()) {
        const size = sizeOfRecord(message, index);
        if (size === null) return null;
        sizes.push(size);
        bytes += sizeOfVarint(size) + size;
      }
      batches.push({ messages, sizes, bytes, compressed: null });
    }
  }
  return batches;
}

async function compressRecords(records: Records): Promise<void> {
  const out = new Writer(Buffer.allocUnsafe(records.bytes));
  writeRecords(out, records);
  records.compressed = await compress(out.bytes);
}

function bytesOf({ transactionalId = null, topicData }: ProduceRequest, batches: readonly Records[]): number {
  let bytes = 2 + (transactionalId === null ? 0 : Buffer.byteLength(transactionalId)) + 2 + 4 + 4;
  for (const { topic } of topicData) bytes += 2 + Buffer.byteLength(topic) + 4;
  for (const batch of batches) bytes += 4 + 4 + 8 + 4 + BATCH_HEADER_BYTES + sentBytesOf(batch);
  return bytes;
}

const sentBytesOf = ({ bytes, compressed }: Records): number => compressed?.length ?? bytes;

function writePartition(
  out: Writer,
  request: ProduceRequest,
  { partition, firstSequence = 0, messages, ...own }: ProducedPartition,
  records: Records,
  now: number,
): void {
  const { producerId = request.producerId ?? -1, producerEpoch = request.producerEpoch ?? 0 } = own;
  const batchBytes = BATCH_HEADER_BYTES + sentBytesOf(records);
  out.int32(partition);
  out.int32(8 + 4 + batchBytes);
  out.int64(0n);
  out.int32(batchBytes);
  out.int32(0);
  out.int8(MAGIC);
  const checksumAt = out.at;
  out.int32(0);
  out.int16((request.transactionalId ? TRANSACTIONAL : 0) | (records.compressed ? GZIP : 0));
  out.int32(messages.length - 1);
  out.int64(BigInt(now));
  out.int64(BigInt(now));
  out.int64(BigInt(producerId));
  out.int16(producerEpoch);
  out.int32(firstSequence);
  out.int32(messages.length);
  if (records.compressed) out.raw(records.compressed);
  else writeRecords(out, records);
  out.bytes.writeUInt32BE(crc32c(out.bytes, checksumAt + 4, out.at), checksumAt);
}

function writeRecords(out: Writer, { messages, sizes }: Records): void {
  for (const [index, message] of messages.entries()) writeRecord(out, message, index, sizes[index] as number);
}

// Attributes and the time's distance to the batch's are a zero byte each.
function sizeOfRecord({ key, value, headers = {}, timestamp }: ProducedMessage, index: number): number | null {
  if (timestamp !== undefined) return null;
  let size = 1 + 1 + sizeOfVarint(index) + sizeOfText(key) + sizeOfText(value);
  let count = 0;
  for (const name in headers) {
    const header = headers[name];
    if (header === undefined || Array.isArray(header)) return null;
    size += sizeOfText(name) + sizeOfText(header);
    count += 1;
  }
  return size + sizeOfVarint(count);
}

function writeRecord(out: Writer, { key, value, headers = {} }: ProducedMessage, index: number, size: number): void {
  out.varint(size);
  out.int8(0);
  out.int8(0);
  out.varint(index);
  out.text(key);
  out.text(value);
  out.varint(Object.keys(headers).length);
  for (const name in headers) {
    out.text(name);
    out.text(headers[name] as Text);
  }
}

function sizeOfText(text: Text | null | undefined): number {
  if (text === null || text === undefined) return 1;
  const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
  return sizeOfVarint(bytes) + bytes;
}

function sizeOfVarint(value: number): number {
  let rest = zigZag(value) >>> 7;
  let bytes = 1;
  for (; rest !== 0; rest >>>= 7) bytes += 1;
  return bytes;
}

function zigZag(value: number): number {
  return (value << 1) ^ (value >> 31);
}

class Writer {
  at = 0;

  constructor(readonly bytes: Buffer) {}

  int8(value: number): void {
    this.bytes[this.at] = value;
    this.at += 1;
  }

  int16(value: number): void {
    this.at = this.bytes.writeInt16BE(value, this.at);
  }

  int32(value: number): void {
    this.at = this.bytes.writeInt32BE(value, this.at);
  }

  int64(value: bigint): void {
    this.at = this.bytes.writeBigInt64BE(value, this.at);
  }

  varint(value: number): void {
    let rest = zigZag(value) >>> 0;
    for (; rest > 0x7f; rest >>>= 7) this.int8((rest & 0x7f) | 0x80);
    this.int8(rest);
  }

  raw(bytes: Buffer): void {
    this.at += bytes.copy(this.bytes, this.at);
  }

  nullableString(value: string | null): void {
    if (value === null) {
      this.int16(-1);
      return;
    }
    const written = this.bytes.write(value, this.at + 2);
    this.int16(written);
    this.at += written;
  }

  text(text: Text | null | undefined): void {
    if (text === null || text === undefined) {
      this.varint(-1);
      return;
    }
    if (typeof text !== 'string') {
      this.varint(text.length);
      this.at += text.copy(this.bytes, this.at);
      return;
    }
    // Counting the bytes of a long text takes as long as writing it: the number is guessed to take as many as that of the characters.
    const guess = sizeOfVarint(text.length);
    const written = this.bytes.write(text, this.at + guess);
    const needed = sizeOfVarint(written);
    if (needed !== guess) this.bytes.copyWithin(this.at + needed, this.at + guess, this.at + guess + written);
    this.varint(written);
    this.at += written;
  }
}
