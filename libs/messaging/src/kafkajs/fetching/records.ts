import type { FetchProgress, IncomingRecord } from '../../kafka-port.js';
import type { DecodedBatches, DecodedRecord } from './record-batches.js';

/** Smaller responses are kept by what is left of them. */
const LARGE_RESPONSE_BYTES = 64 * 1024;
const NO_HEADERS = { headers: {}, rawHeaders: {} };

/**
 * What a consumer is given of a fetch of one partition, in the order of offsets. `end` is what the fetch before told: only what lies beyond
 * it is known to be new. In the place of a batch that cannot be read stands one record without a value, at the batch's last offset.
 */
export function recordsOf(
  { topic, partition }: { topic: string; partition: number },
  { records, undecodable }: DecodedBatches,
  end: FetchProgress['end'],
): IncomingRecord[] {
  const at = Date.now();
  const arrivalOf = (offset: bigint) => ({ at, after: end && offset >= end.offset ? end.at : null });
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

// Decoded records are views of their response: one that waits would keep all of it in memory.
function owned(bytes: Buffer): Buffer {
  const response = bytes.buffer.byteLength;
  return response > LARGE_RESPONSE_BYTES && bytes.length < response / 2 ? Buffer.from(bytes) : bytes;
}

/** Of a header that stands there more than once, its last value as text, and all as bytes. */
function decodeHeaders(given: DecodedRecord['headers']): Pick<IncomingRecord, 'headers' | 'rawHeaders'> {
  // Without a prototype: a header may be called `__proto__`.
  const headers = Object.create(null) as Record<string, string>;
  const rawHeaders = Object.create(null) as Record<string, Buffer | Buffer[]>;
  for (const [name, value] of given) {
    // KafkaJS cannot write one without a value, and nothing here reads one.
    if (value === null) continue;
    const bytes = owned(value);
    const before = rawHeaders[name];
    rawHeaders[name] = before === undefined ? bytes : [before, bytes].flat();
    headers[name] = bytes.toString('utf8');
  }
  return { headers, rawHeaders };
}
