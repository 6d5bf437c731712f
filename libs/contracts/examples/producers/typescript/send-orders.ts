// Sends purchase orders of an inventory system: node send-orders.ts orders.ndjson, one JSON object per line, oldest first. If it fails or
// its outcome is unknown, send everything again: records without a newer sourceRevision change nothing.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Kafka, type Message, Partitioners, logLevel } from 'kafkajs';

const { KAFKA_BROKERS = '127.0.0.1:9092' } = process.env;
const TOPIC = 'inventory.purchase-orders.v1';
// An order may have thousands of lines, and a whole batch may go to one partition, which accepts 8 MiB.
const [MAX_BATCH_RECORDS, MAX_BATCH_BYTES] = [20, 1024 * 1024];

const kafka = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING, retry: { retries: 3 } });
// The records of an order must be stored in the order in which they are sent, even after a retry.
const producer = kafka.producer({
  idempotent: true,
  maxInFlightRequests: 1,
  allowAutoTopicCreation: false,
  createPartitioner: Partitioners.DefaultPartitioner,
});

/** Always the complete order, never a part: omitted values are removed. `{ poNumber, sourceRevision, reason }` cancels the order. */
function messageOf(line: string): Message {
  const order = JSON.parse(line);
  if (!Number.isSafeInteger(order.sourceRevision))
    throw new Error(`${order.poNumber}: sourceRevision is not an integer up to 2^53 - 1`);
  // A cancellation is final, so an order with missing or misspelled fields must not be taken for one.
  const isCancellation = Object.keys(order).every((field) => ['poNumber', 'sourceRevision', 'reason'].includes(field));
  const type = isCancellation ? 'purchase-order.cancelled' : 'purchase-order.upserted';
  // The key preserves the order of an order's records; a key other than its number is refused.
  return { key: order.poNumber, value: line, headers: { type } };
}

async function main([file]: string[]): Promise<void> {
  if (!file) throw new Error('usage: node send-orders.ts orders.ndjson');
  await producer.connect();
  let [sent, bytes] = [0, 0];
  const waiting: Message[] = [];
  const send = async () => {
    // Resolves when all in-sync replicas have stored the records.
    if (waiting.length > 0) await producer.send({ topic: TOPIC, acks: -1, messages: waiting });
    sent += waiting.splice(0).length;
    bytes = 0;
  };
  // Read as Latin-1: as UTF-8, a line would end at U+2028, and invalid UTF-8 would be replaced silently.
  for await (const read of createInterface(createReadStream(file, 'latin1'))) {
    const line = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(read, 'latin1'));
    if (line.trim() === '') continue;
    const size = Buffer.byteLength(line);
    if (waiting.length === MAX_BATCH_RECORDS || bytes + size > MAX_BATCH_BYTES) await send();
    waiting.push(messageOf(line));
    bytes += size;
  }
  await send();
  console.error(`${sent} sent`);
}

await main(process.argv.slice(2)).catch((error) => {
  console.error(`Kafka at ${KAFKA_BROKERS}: ${error.message}`);
  process.exitCode = 1;
});
await producer.disconnect();
