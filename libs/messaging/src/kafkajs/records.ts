import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { IncomingRecord } from '../kafka-port.js';
import { kafkaJsModule } from './patches/patch-kafkajs.js';
import type { FetchedPartition } from './protocol.js';

/** Smaller responses are kept by what is left of them. */
const LARGE_RESPONSE_BYTES = 64 * 1024;

/** The end of a partition as a fetch told it: nothing from this offset on was there when that fetch began. */
export interface End {
  offset: bigint;
  /** Epoch milliseconds. */
  at: number;
}

interface Batch {
  /** Without what lies before the offset that was asked for, what a transaction took back, and control records. */
  messages: KafkaMessage[];
  messagesWithinOffset: object[];
  rawMessages: object[];
  lastOffset(): string;
}

const Batch =
  kafkaJsModule<new (topic: string, fetchedOffset: string, fetched: FetchedPartition) => Batch>('consumer/batch');

/**
 * The records of one partition of a fetch that began at `start`, and the offset to go on at. `end` is what the fetch before told: only
 * what lies beyond it is known to be new.
 */
export function recordsOf(
  topic: string,
  fetched: FetchedPartition,
  start: string,
  end: End | null,
): { records: IncomingRecord[]; next: bigint } {
  const at = Date.now();
  const batch = new Batch(topic, start, fetched);
  const records = batch.messages.map(({ offset, key, value, headers, timestamp }) => ({
    ...{ topic, partition: fetched.partition, offset, key: key && owned(key), value: value && owned(value) },
    ...decodeHeaders(headers),
    timestamp: Number(timestamp),
    arrival: { at, after: end && BigInt(offset) >= end.offset ? end.at : null },
  }));
  return { records, next: batch.rawMessages.length === 0 ? BigInt(start) : BigInt(batch.lastOffset()) + 1n };
}

// KafkaJS's records are views of the response they came in: one that waits would hold all of it.
function owned(bytes: Buffer): Buffer {
  const response = bytes.buffer.byteLength;
  return response > LARGE_RESPONSE_BYTES && bytes.length < response / 2 ? Buffer.from(bytes) : bytes;
}

function decodeHeaders(headers: IHeaders | undefined): Pick<IncomingRecord, 'headers' | 'rawHeaders'> {
  const text: Record<string, string> = {};
  const raw: Record<string, Buffer> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last === undefined) continue;
    raw[name] = Buffer.isBuffer(last) ? owned(last) : Buffer.from(last);
    text[name] = raw[name].toString('utf8');
  }
  return { headers: text, rawHeaders: raw };
}
