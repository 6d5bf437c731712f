import { kafkaJsModule } from '../patches/patch-kafkajs.js';
import type { AbortedTransaction } from '../fetching/record-batches.js';

// Two requests in versions that KafkaJS lacks, with the "flexible" encoding of KIP-482. Both identify a topic by its id (KIP-516), which
// tells a recreated topic from the deleted one regardless of its offsets. Kafka supports these versions since 3.1.
const METADATA_VERSION = 12;
const FETCH_VERSION = 13;

const METADATA_KEY = 3;
const FETCH_KEY = 1;

/** Tag of the diverging epoch in a partition of a Fetch response (KIP-595). */
const DIVERGING_EPOCH = 0;
const ID_BYTES = 16;
const NO_ID = Buffer.alloc(ID_BYTES);

/** A request in the form that KafkaJS's connections send, with the decoder of its response. */
export interface Exchange<Answer> {
  request: object;
  response: { decode: (payload: Buffer) => Promise<Answer> };
}

/** A request type of the Kafka protocol: its API key and its supported versions. */
export interface Api<Ask, Answer> {
  key: number;
  definition: {
    versions: readonly number[];
    protocol: (options: { version: number }) => (ask: Ask) => Exchange<Answer>;
  };
}

export interface MetadataResponse {
  brokers: { nodeId: number; host: string; port: number }[];
  topics: {
    errorCode: number;
    topic: string;
    /** 32 hexadecimal digits. */
    topicId: string;
    partitions: { partition: number; leader: number }[];
  }[];
}

export interface FetchRequest {
  maxWaitTime: number;
  minBytes: number;
  maxBytes: number;
  isolationLevel: number;
  topics: {
    topicId: string;
    partitions: {
      partition: number;
      fetchOffset: bigint;
      /** The leader epoch of the last record fetched; -1 if there is none. The broker compares it with its log (KIP-320). */
      lastFetchedEpoch: number;
      maxBytes: number;
    }[];
  }[];
}

export interface FetchedPartition {
  partition: number;
  errorCode: number;
  highWatermark: bigint;
  /** The first offset of the oldest open transaction; without one, the high watermark. Read-committed fetches end here. */
  lastStableOffset: bigint;
  aborted: AbortedTransaction[];
  /** The end of the last fetched epoch in the broker's log, if that is below the requested offset; else null. */
  diverging: { epoch: number; endOffset: bigint } | null;
  /** A view into the buffer of the whole response. */
  batches: Buffer;
}

export interface FetchResponse {
  errorCode: number;
  topics: { topicId: string; partitions: FetchedPartition[] }[];
}

export const METADATA = api<{ topics: readonly string[] }, MetadataResponse>(
  METADATA_KEY,
  'Metadata',
  METADATA_VERSION,
  {
    encode: ({ topics }) =>
      new Encoder()
        .writeUVarIntArray(
          topics.map((topic) => new Encoder().writeBuffer(NO_ID).writeUVarIntString(topic).writeUVarInt(0)),
          'object',
        )
        // Neither creates topics nor requests the allowed operations.
        .writeBoolean(false)
        .writeBoolean(false),
    decode: (answer) => {
      answer.int32();
      const brokers = answer.array(() => {
        const [nodeId, host, port] = [answer.int32(), answer.text() ?? '', answer.int32()];
        answer.text();
        answer.skipTags();
        return { nodeId, host, port };
      });
      answer.text();
      answer.int32();
      const topics = answer.array(() => {
        const [errorCode, topic, topicId] = [answer.int16(), answer.text() ?? '', answer.id()];
        answer.int8();
        const partitions = answer.array(() => {
          answer.int16();
          const [partition, leader] = [answer.int32(), answer.int32()];
          answer.int32();
          for (let list = 0; list < 3; list += 1) answer.array(() => answer.int32());
          answer.skipTags();
          return { partition, leader };
        });
        answer.int32();
        answer.skipTags();
        return { errorCode, topic, topicId, partitions };
      });
      return { brokers, topics };
    },
  },
);

export const FETCH = api<FetchRequest, FetchResponse>(FETCH_KEY, 'Fetch', FETCH_VERSION, {
  encode: ({ maxWaitTime, minBytes, maxBytes, isolationLevel, topics }) =>
    new Encoder()
      // The replica id: -1 for a consumer.
      .writeInt32(-1)
      .writeInt32(maxWaitTime)
      .writeInt32(minBytes)
      .writeInt32(maxBytes)
      .writeInt8(isolationLevel)
      // No fetch session (KIP-227).
      .writeInt32(0)
      .writeInt32(-1)
      .writeUVarIntArray(
        topics.map(({ topicId, partitions }) =>
          new Encoder()
            .writeBuffer(Buffer.from(topicId, 'hex'))
            .writeUVarIntArray(partitions.map(encodePartition), 'object')
            .writeUVarInt(0),
        ),
        'object',
      )
      .writeUVarIntArray([], 'object')
      .writeUVarIntString(''),
  decode: (answer) => {
    answer.int32();
    const errorCode = answer.int16();
    answer.int32();
    const topics = answer.array(() => {
      const topicId = answer.id();
      const partitions = answer.array(() => decodePartition(answer));
      answer.skipTags();
      return { topicId, partitions };
    });
    return { errorCode, topics };
  },
});

function encodePartition({
  partition,
  fetchOffset,
  lastFetchedEpoch,
  maxBytes,
}: FetchRequest['topics'][0]['partitions'][0]) {
  return (
    new Encoder()
      .writeInt32(partition)
      // Accepts any epoch of the current leader.
      .writeInt32(-1)
      .writeInt64(fetchOffset)
      .writeInt32(lastFetchedEpoch)
      .writeInt64(-1n)
      .writeInt32(maxBytes)
      .writeUVarInt(0)
  );
}

function decodePartition(answer: FlexibleDecoder): FetchedPartition {
  const [partition, errorCode, highWatermark] = [answer.int32(), answer.int16(), answer.int64()];
  const lastStableOffset = answer.int64();
  answer.int64();
  const aborted = answer.array(() => {
    const transaction = { producerId: answer.int64(), firstOffset: answer.int64() };
    answer.skipTags();
    return transaction;
  });
  answer.int32();
  const batches = answer.bytes();
  let diverging: FetchedPartition['diverging'] = null;
  answer.tags((tag, field) => {
    if (tag === DIVERGING_EPOCH) diverging = { epoch: field.int32(), endOffset: field.int64() };
  });
  return { partition, errorCode, highWatermark, lastStableOffset, aborted, diverging, batches };
}

/** Decodes the flexible encoding (KIP-482). KafkaJS's decoder reads each tagged field one byte short. */
class FlexibleDecoder {
  private at = 0;

  constructor(private readonly payload: Buffer) {}

  int8 = (): number => this.payload.readInt8(this.step(1));
  int16 = (): number => this.payload.readInt16BE(this.step(2));
  int32 = (): number => this.payload.readInt32BE(this.step(4));
  int64 = (): bigint => this.payload.readBigInt64BE(this.step(8));
  id = (): string => this.take(ID_BYTES).toString('hex');

  /** Null for a null string. */
  text(): string | null {
    const length = this.uvarint() - 1;
    return length < 0 ? null : this.take(length).toString('utf8');
  }

  /** Empty for null bytes. */
  bytes(): Buffer {
    return this.take(Math.max(0, this.uvarint() - 1));
  }

  /** Empty for a null array. */
  array<T>(read: () => T): T[] {
    return Array.from({ length: Math.max(0, this.uvarint() - 1) }, read);
  }

  tags(read: (tag: number, field: FlexibleDecoder) => void): void {
    for (let left = this.uvarint(); left > 0; left -= 1) {
      const tag = this.uvarint();
      read(tag, new FlexibleDecoder(this.take(this.uvarint())));
    }
  }

  skipTags(): void {
    this.tags(() => undefined);
  }

  private uvarint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.payload.readUInt8(this.step(1));
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a varint of a response is too long');
  }

  private take(length: number): Buffer {
    const from = this.step(length);
    if (this.at > this.payload.length) throw new RangeError('a response is truncated');
    return this.payload.subarray(from, this.at);
  }

  private step(bytes: number): number {
    const { at } = this;
    this.at += bytes;
    return at;
  }
}

interface Encoder {
  writeBoolean(value: boolean): this;
  writeInt8(value: number): this;
  writeInt32(value: number): this;
  writeInt64(value: bigint): this;
  writeUVarInt(value: number): this;
  writeUVarIntString(value: string): this;
  writeUVarIntArray(elements: readonly Encoder[], type: 'object'): this;
  writeBuffer(bytes: Buffer): this;
  writeEncoder(encoder: Encoder): this;
}

const Encoder = kafkaJsModule<new () => Encoder>('protocol/encoder');

function api<Ask, Answer>(
  key: number,
  apiName: string,
  apiVersion: number,
  { encode, decode }: { encode: (ask: Ask) => Encoder; decode: (answer: FlexibleDecoder) => Answer },
): Api<Ask, Answer> {
  const protocol = (ask: Ask): Exchange<Answer> => ({
    request: {
      apiKey: key,
      apiName,
      apiVersion,
      // No tagged fields in the header and in the request. KafkaJS writes the older header, which does not support them.
      encode: async () => new Encoder().writeUVarInt(0).writeEncoder(encode(ask)).writeUVarInt(0),
    },
    response: {
      decode: async (payload) => {
        const answer = new FlexibleDecoder(payload);
        answer.skipTags();
        return decode(answer);
      },
    },
  });
  return { key, definition: { versions: [apiVersion], protocol: () => protocol } };
}
