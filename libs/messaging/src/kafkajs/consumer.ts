import kafkajs, { type Consumer, type IHeaders, type Kafka, type PartitionAssigner } from 'kafkajs';
import type { ConsumerHandlers, ConsumerOptions, ConsumerPort, IncomingRecord } from '../kafka-port.js';
import { isOutdated } from './patches/fetch-patch.js';

const { AssignerProtocol } = kafkajs;

// A fetch returns as soon as there is a record; only an idle one takes this long. Leaving, resuming after a pause of every
// partition, and heartbeats (KafkaJS sends them between fetches) wait for it, so it is no longer than a heartbeat.
const MAX_WAIT_MS = 1_000;
// A killed consumer's partitions stand still until its session ends, so sessions are short; that is safe because records are
// handed over at once and no handler ever holds the fetch loop.
const SESSION_TIMEOUT_MS = 8_000;
const HEARTBEAT_MS = 1_000;
const REBALANCE_TIMEOUT_MS = 8_000;
const MAX_BYTES_PER_PARTITION = 2 * 1024 * 1024;

export function consumerPort(kafka: Kafka, options: ConsumerOptions): ConsumerPort {
  const consumer = kafka.consumer({
    groupId: options.group,
    sessionTimeout: SESSION_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxWaitTimeInMs: MAX_WAIT_MS,
    minBytes: 1,
    maxBytesPerPartition: MAX_BYTES_PER_PARTITION,
    allowAutoTopicCreation: false,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 },
    ...(options.slot === undefined
      ? {}
      : { partitionAssigners: [slotAssigner(options.topics[0] as string, options.slot)] }),
  });
  let lastFetchAt = Date.now();
  const highWatermarks = new Map<string, bigint>();
  return {
    async start(handlers) {
      listen(consumer, handlers);
      consumer.on(consumer.events.FETCH, () => {
        lastFetchAt = Date.now();
      });
      await consumer.connect();
      await consumer.subscribe({ topics: [...options.topics], fromBeginning: options.from === 'earliest' });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: async (payload) => {
          const { batch } = payload;
          if (payload.isStale() || isOutdated(batch) || !payload.isRunning()) return;
          highWatermarks.set(`${batch.topic}/${batch.partition}`, BigInt(batch.highWatermark));
          handlers.onRecords(
            batch.messages.map(({ offset, key, value, headers, timestamp }) => ({
              topic: batch.topic,
              partition: batch.partition,
              offset,
              key,
              value,
              ...decodeHeaders(headers),
              timestamp: Number(timestamp),
            })),
          );
          payload.resolveOffset(batch.lastOffset());
        },
      });
    },
    commit: (offsets) => consumer.commitOffsets([...offsets]),
    seek: (topic, partition, offset) => whileInGroup(() => consumer.seek({ topic, partition, offset })),
    pause: (topic, partitions) => whileInGroup(() => consumer.pause([chosen(topic, partitions)])),
    resume: (topic, partitions) => whileInGroup(() => consumer.resume([chosen(topic, partitions)])),
    highWatermark: (topic, partition) => highWatermarks.get(`${topic}/${partition}`) ?? null,
    lastFetchAt: () => lastFetchAt,
    stop: () => consumer.disconnect(),
  };
}

const chosen = (topic: string, partitions?: readonly number[]) => ({
  topic,
  ...(partitions ? { partitions: [...partitions] } : {}),
});

// While KafkaJS starts over by itself it has no group, and throws what nobody could catch. Nothing is lost by leaving it: the next
// assignment begins at the committed offsets, unpaused.
function whileInGroup(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSNonRetriableError)) throw error;
  }
}

function listen(consumer: Consumer, handlers: ConsumerHandlers): void {
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    handlers.onAssigned(
      Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      ),
    );
  });
  consumer.on(consumer.events.REBALANCING, () => handlers.onRevoked());
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    // KafkaJS restarts what it calls retriable by itself; what it does not, would stay down in silence.
    handlers.onRevoked();
    if (!payload.restart) handlers.onCrash(payload.error);
  });
}

function decodeHeaders(headers: IHeaders | undefined): Pick<IncomingRecord, 'headers' | 'rawHeaders'> {
  const text: Record<string, string> = {};
  const raw: Record<string, Buffer> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last === undefined) continue;
    raw[name] = Buffer.isBuffer(last) ? last : Buffer.from(last);
    text[name] = raw[name].toString('utf8');
  }
  return { headers: text, rawHeaders: raw };
}

// Each reply consumer is alone in its group and takes one fixed partition, so no rebalance can lose it a reply.
function slotAssigner(topic: string, slot: number): PartitionAssigner {
  return () => ({
    name: 'slot',
    version: 0,
    assign: ({ members }) =>
      Promise.resolve(
        members.map(({ memberId }) => ({
          memberId,
          memberAssignment: AssignerProtocol.MemberAssignment.encode({
            version: 0,
            assignment: { [topic]: [slot] },
            userData: Buffer.alloc(0),
          }),
        })),
      ),
    protocol: ({ topics }) => ({
      name: 'slot',
      metadata: AssignerProtocol.MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }),
    }),
  });
}
