import { randomUUID } from 'node:crypto';
import type { IncomingRecord, KafkaPort } from './kafka-port.js';

/**
 * Reads a topic from its beginning to its end as it was at the call, in order per partition, one record at a time. Rejects when
 * `onRecord` does, or when the consumer crashes.
 */
export async function readTopic(
  kafka: KafkaPort,
  topic: string,
  onRecord: (record: IncomingRecord) => Promise<void> | void,
): Promise<void> {
  const group = `read-${randomUUID()}`;
  const admin = await kafka.admin();
  try {
    const open = new Map(
      (await admin.offsets(topic))
        .filter(({ low, high }) => low !== high)
        .map(({ partition, high }) => [partition, BigInt(high)]),
    );
    if (open.size === 0) return;
    const finished = Promise.withResolvers<void>();
    const consumer = kafka.consumer({ group, topics: [topic], from: 'earliest' });
    let work = Promise.resolve();
    const take = async (records: readonly IncomingRecord[]) => {
      for (const record of records) {
        const end = open.get(record.partition);
        if (end === undefined || BigInt(record.offset) >= end) continue;
        await onRecord(record);
      }
      const last = records.at(-1);
      if (last && BigInt(last.offset) + 1n >= (open.get(last.partition) ?? 0n)) open.delete(last.partition);
      if (open.size === 0) finished.resolve();
    };
    await consumer.start({
      onRecords: (records) => {
        work = work.then(() => take(records)).catch(finished.reject);
      },
      onAssigned: () => undefined,
      onRevoked: () => undefined,
      onCrash: finished.reject,
    });
    try {
      await finished.promise;
    } finally {
      await consumer.stop();
    }
    await admin.deleteGroup(group).catch(() => undefined);
  } finally {
    await admin.close();
  }
}
