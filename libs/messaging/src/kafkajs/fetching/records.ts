import type { FetchProgress, IncomingRecord } from '../../kafka-port.js';
import type { DecodedBatches, DecodedRecord } from './record-batches.js';

/** Records may keep a response of up to this size in memory. */
const LARGE_RESPONSE_BYTES = 64 * 1024;
const NO_HEADERS = { headers: {}, rawHeaders: {} };

/**
 * Converts a fetch of one partition to consumer records in offset order. `end` is the end seen by the previous fetch: only records
 * beyond it are known to be new. An unreadable batch becomes one record without a value, at the batch's last offset.
 */
export function recordsOf(
  { topic, partition }: { topic: string; partition: number },
  { records, undecodable }: DecodedBatches,
  end: FetchProgress['end'],
): IncomingRecord[] {
  const at = Date.now();
  const arrivalOf = (offset: bigint) => ({ at, after: end && offset >= end.highWatermark ? end.at : null });
  const readable = records.map(({ offset, timestamp, key, value, headers }) => ({
    topic,
    partition,
    offset: String(offset),
    key: key && owned(key),
    value: value && owned(value),
    ...decodeHeaders(headers),
    timestamp: Number(timestamp),
    arrival: arrivalOf(offset),
  }));
  if (undecodable.length === 0) return readable;
  const unreadable = undecodable.map(({ firstOffset, lastOffset, reason }) => ({
    topic,
    partition,
    offset: String(lastOffset),
    key: null,
    value: null,
    ...NO_HEADERS,
    timestamp: at,
    arrival: arrivalOf(lastOffset),
    unreadable: `offsets ${firstOffset} to ${lastOffset} cannot be read: ${reason}`,
  }));
  return [...readable, ...unreadable].toSorted((one, other) => Number(BigInt(one.offset) - BigInt(other.offset)));
}

// Decoded records are views of their response, so a waiting record would keep the whole response in memory.
function owned(bytes: Buffer): Buffer {
  const response = bytes.buffer.byteLength;
  return response > LARGE_RESPONSE_BYTES && bytes.length < response / 2 ? Buffer.from(bytes) : bytes;
}

/** A repeated header has its last value in `headers` and all values in `rawHeaders`. */
function decodeHeaders(given: DecodedRecord['headers']): Pick<IncomingRecord, 'headers' | 'rawHeaders'> {
  // Without a prototype: a header may be called `__proto__`.
  const headers = Object.create(null) as Record<string, string>;
  const rawHeaders = Object.create(null) as Record<string, Buffer | Buffer[]>;
  for (const [name, value] of given) {
    // Drops headers without a value: KafkaJS cannot write them, and nothing here reads them.
    if (value === null) continue;
    const bytes = owned(value);
    const before = rawHeaders[name];
    rawHeaders[name] = before === undefined ? bytes : [before, bytes].flat();
    headers[name] = bytes.toString('utf8');
  }
  return { headers, rawHeaders };
}
