import { randomUUID } from 'node:crypto';
import { type ConsumerHandlers, type IncomingRecord, type KafkaPort, bytesOf } from '../kafka-port.js';

/** Limit of records read ahead of `onRecord`, so that a topic read faster than handled does not fill the memory. */
const READ_AHEAD = { records: 1_000, bytes: 16 * 1024 * 1024 };

/** Long enough for a first fetch, whose success clears an earlier denial. */
const CHECK_ACCESS_MS = 1_000;

/**
 * Reads a topic from its beginning to its end at the time of the call, in order per partition, one record at a time, including `unreadable`
 * records. Rejects if `onRecord` rejects, `signal` aborts, or Kafka denies this user the topic; no further record is then passed on.
 */
export async function readTopic(
  kafka: KafkaPort,
  topic: string,
  onRecord: (record: IncomingRecord) => Promise<void> | void,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  signal?.throwIfAborted();
  const admin = await kafka.admin();
  try {
    const open = new Map(
      (await admin.offsets(topic))
        .filter(({ low, high }) => low !== high)
        .map(({ partition, high }) => [partition, BigInt(high)]),
    );
    // A listener that is added to an aborted signal is never called.
    signal?.throwIfAborted();
    if (open.size === 0) return;
    const finished = Promise.withResolvers<void>();
    const consumer = kafka.consumer({
      group: randomUUID(),
      topics: [topic],
      from: 'earliest',
      partitions: [...open.keys()],
    });
    // A rejection before the await below must not count as unhandled.
    finished.promise.catch(() => undefined);
    let failed = false;
    const fail = (reason: unknown) => {
      failed = true;
      finished.reject(reason);
    };
    const abort = () => fail(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    // The consumer would retry forever.
    const access = setInterval(() => {
      const rights = [`read topic ${topic}`, `describe topic ${topic}`];
      const refused = kafka.authorizationFailures().filter((right) => rights.includes(right));
      if (refused.length > 0) fail(new Error(`this user may not ${refused.join(', ')}`));
    }, CHECK_ACCESS_MS);
    let work = Promise.resolve();
    const ahead = { records: 0, bytes: 0 };
    const enough = () => ahead.records >= READ_AHEAD.records || ahead.bytes >= READ_AHEAD.bytes;
    let paused = false;
    const take = async (records: readonly IncomingRecord[], read: { partition: number; next: bigint }) => {
      for (const record of records) {
        if (failed) return;
        const end = open.get(record.partition);
        if (end === undefined || BigInt(record.offset) >= end) continue;
        await onRecord(record);
      }
      // Uses the read position instead of the last record, because compaction leaves offsets without records, even at the end.
      if (read.next >= (open.get(read.partition) ?? 0n)) open.delete(read.partition);
      if (open.size === 0) finished.resolve();
      ahead.records -= records.length;
      ahead.bytes -= sumOf(records);
      if (paused && !enough()) {
        paused = false;
        consumer.resume(topic);
      }
    };
    try {
      const handlers: ConsumerHandlers = {
        onRecords: (records, read) => {
          ahead.records += records.length;
          ahead.bytes += sumOf(records);
          if (!paused && enough()) {
            paused = true;
            consumer.pause(topic);
          }
          work = work.then(() => take(records, read)).catch(fail);
        },
        onReset: () => fail(new Error(`topic ${topic} was recreated or truncated while it was read`)),
      };
      consumer.start(handlers).catch(fail);
      await finished.promise;
    } finally {
      clearInterval(access);
      signal?.removeEventListener('abort', abort);
      await consumer.stop();
    }
  } finally {
    await admin.close();
  }
}

const sumOf = (records: readonly IncomingRecord[]): number => records.reduce((sum, record) => sum + bytesOf(record), 0);
