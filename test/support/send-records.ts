import type { KafkaPort, OutgoingRecord } from '@po/messaging';

/** Sends records one by one, because together they may exceed the size limit of a batch. */
export async function sendRecords(kafka: KafkaPort, records: Iterable<OutgoingRecord>): Promise<void> {
  const producer = kafka.producer({ acks: 'all' });
  try {
    await producer.connect();
    for (const record of records) await producer.send([record]);
  } finally {
    await producer.disconnect();
  }
}
