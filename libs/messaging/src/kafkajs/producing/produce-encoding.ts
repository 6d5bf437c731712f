import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { crc32c } from '@node-rs/crc32';
import type { OutgoingRecord } from '../../kafka-port.js';

type Text = string | Buffer;

interface ProducedPartition {
  partition: number;
  /** Producer id, epoch and sequence of this batch; -1, 0 and 0 if the producer is not idempotent. */
  producerId: string;
  producerEpoch: number;
  firstSequence: number;
  messages: readonly Pick<OutgoingRecord, 'key' | 'value' | 'headers'>[];
}

type ProducedMessage = ProducedPartition['messages'][number];
type Header = ProducedMessage['headers'][string];

export interface ProduceRequest {
  acks: number;
  /** Milliseconds that the broker may wait for its replicas. */
  timeout: number;
  topicData: { topic: string; partitions: ProducedPartition[] }[];
}

const MAGIC = 2;
/** Bytes of a record batch between its length field and its first record. */
const BATCH_HEADER_BYTES = 49;
/** Code of gzip in the attributes of a record batch. */
const GZIP = 1;
/** Larger records of one partition are compressed, because a topic accepts batches of up to 8 MiB. */
const COMPRESS_ABOVE_BYTES = 2 * 1024 * 1024;

const compress = promisify(gzip);

/** The records of one batch. */
interface Records {
  messages: readonly ProducedMessage[];
  /** Size of each record without its length prefix. */
  sizes: readonly number[];
  /** Total size of the records with their length prefixes. */
  bytes: number;
  compressed: Buffer | null;
}

// KafkaJS creates an encoder for each header, record, batch, partition, topic and request, and each copies the bytes of the inner ones:
// several times the CPU of one buffer. It also supports only one producer id for all batches of a request.
/**
 * Encodes the body of a Produce request (version 7) in one buffer of exact size, with one record batch (format 2) per partition. All
 * records have the timestamp `now` (epoch milliseconds). Batches of more than 2 MiB are compressed with gzip, outside the event loop.
 */
export async function encodeProduce({ acks, timeout, topicData }: ProduceRequest, now: number): Promise<Buffer> {
  const batches = topicData.map(({ partitions }) => partitions.map(measured));
  await Promise.all(batches.flat().map(compressLong));
  const out = new Writer(Buffer.allocUnsafe(bytesOf(topicData, batches.flat())));
  // No transactional id.
  out.int16(-1);
  out.int16(acks);
  out.int32(timeout);
  out.int32(topicData.length);
  for (const [index, { topic, partitions }] of topicData.entries()) {
    out.string(topic);
    out.int32(partitions.length);
    for (const [at, partition] of partitions.entries()) {
      writePartition(out, partition, batches[index]?.[at] as Records, now);
    }
  }
  return out.bytes;
}

function measured({ messages }: ProducedPartition): Records {
  const sizes = messages.map(sizeOfRecord);
  const bytes = sizes.reduce((sum, size) => sum + sizeOfVarint(size) + size, 0);
  return { messages, sizes, bytes, compressed: null };
}

async function compressLong(records: Records): Promise<void> {
  if (records.bytes <= COMPRESS_ABOVE_BYTES) return;
  const out = new Writer(Buffer.allocUnsafe(records.bytes));
  writeRecords(out, records);
  records.compressed = await compress(out.bytes);
}

function bytesOf(topicData: ProduceRequest['topicData'], batches: readonly Records[]): number {
  let bytes = 2 + 2 + 4 + 4;
  for (const { topic } of topicData) bytes += 2 + Buffer.byteLength(topic) + 4;
  for (const batch of batches) bytes += 4 + 4 + 8 + 4 + BATCH_HEADER_BYTES + sentBytesOf(batch);
  return bytes;
}

const sentBytesOf = ({ bytes, compressed }: Records): number => compressed?.length ?? bytes;

function writePartition(
  out: Writer,
  { partition, producerId, producerEpoch, firstSequence, messages }: ProducedPartition,
  records: Records,
  now: number,
): void {
  const batchBytes = BATCH_HEADER_BYTES + sentBytesOf(records);
  out.int32(partition);
  out.int32(8 + 4 + batchBytes);
  out.int64(0n);
  out.int32(batchBytes);
  out.int32(0);
  out.int8(MAGIC);
  const checksumAt = out.at;
  out.int32(0);
  out.int16(records.compressed ? GZIP : 0);
  out.int32(messages.length - 1);
  out.int64(BigInt(now));
  out.int64(BigInt(now));
  out.int64(BigInt(producerId));
  out.int16(producerEpoch);
  out.int32(firstSequence);
  out.int32(messages.length);
  if (records.compressed) out.raw(records.compressed);
  else writeRecords(out, records);
  out.bytes.writeUInt32BE(crc32c(out.bytes.subarray(checksumAt + 4, out.at)), checksumAt);
}

function writeRecords(out: Writer, { messages, sizes }: Records): void {
  for (const [index, message] of messages.entries()) writeRecord(out, message, index, sizes[index] as number);
}

// Attributes and timestamp delta are one zero byte each.
function sizeOfRecord({ key, value, headers }: ProducedMessage, index: number): number {
  let size = 1 + 1 + sizeOfVarint(index) + sizeOfText(key) + sizeOfText(value) + sizeOfVarint(countOf(headers));
  for (const name in headers) {
    const header = headers[name] as Header;
    if (Array.isArray(header)) for (const each of header) size += sizeOfText(name) + sizeOfText(each);
    else size += sizeOfText(name) + sizeOfText(header);
  }
  return size;
}

function writeRecord(out: Writer, { key, value, headers }: ProducedMessage, index: number, size: number): void {
  out.varint(size);
  out.int8(0);
  out.int8(0);
  out.varint(index);
  out.text(key);
  out.text(value);
  out.varint(countOf(headers));
  for (const name in headers) {
    const header = headers[name] as Header;
    if (Array.isArray(header)) for (const each of header) out.header(name, each);
    else out.header(name, header);
  }
}

/** A header may occur several times in a record. */
function countOf(headers: ProducedMessage['headers']): number {
  let count = 0;
  for (const name in headers) {
    const header = headers[name] as Header;
    count += Array.isArray(header) ? header.length : 1;
  }
  return count;
}

function sizeOfText(text: Text | null): number {
  if (text === null) return 1;
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

  string(value: string): void {
    const written = this.bytes.write(value, this.at + 2);
    this.int16(written);
    this.at += written;
  }

  header(name: string, value: Text): void {
    this.text(name);
    this.text(value);
  }

  text(text: Text | null): void {
    if (text === null) {
      this.varint(-1);
      return;
    }
    if (typeof text !== 'string') {
      this.varint(text.length);
      this.at += text.copy(this.bytes, this.at);
      return;
    }
    // Counting the bytes of a long text takes as long as writing it, so the size of the prefix is guessed from the number of characters.
    const guess = sizeOfVarint(text.length);
    const written = this.bytes.write(text, this.at + guess);
    const needed = sizeOfVarint(written);
    if (needed !== guess) this.bytes.copyWithin(this.at + needed, this.at + guess, this.at + guess + written);
    this.varint(written);
    this.at += written;
  }
}
