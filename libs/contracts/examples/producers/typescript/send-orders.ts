// Sends what an inventory system has to say of its purchase orders: node send-orders.ts orders.ndjson, one JSON object a line, oldest
// first. Where it fails, or nobody knows whether it did, send all of it again: what is not newer by its sourceRevision changes nothing.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Kafka, type Message, Partitioners, logLevel } from 'kafkajs';

const { KAFKA_BROKERS = '127.0.0.1:9092' } = process.env;
const TOPIC = 'inventory.purchase-orders.v1';
// An order may have thousands of lines, and all of a batch may be for one partition, which takes 8 MiB.
const [MAX_BATCH_RECORDS, MAX_BATCH_BYTES] = [20, 1024 * 1024];

const kafka = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING, retry: { retries: 3 } });
// One order's records must be stored in the order in which they are sent, also when one has to be sent again.
const producer = kafka.producer({
  idempotent: true,
  maxInFlightRequests: 1,
  allowAutoTopicCreation: false,
  createPartitioner: Partitioners.DefaultPartitioner,
});

/** The whole order each time, never a part of it: what is missing is gone. `{ poNumber, sourceRevision, reason }` takes it back. */
function messageOf(line: string): Message {
  const order = JSON.parse(line);
  if (!Number.isSafeInteger(order.sourceRevision)) throw new Error(`${order.poNumber}: sourceRevision is no integer`);
  // An order whose lines were left out by mistake is refused, not cancelled.
  const type = 'lines' in order || 'vendor' in order ? 'purchase-order.upserted' : 'purchase-order.cancelled';
  // The key keeps an order's records in their order; another one than its number is refused.
  return { key: order.poNumber, value: line, headers: { type } };
}

async function main([file]: string[]): Promise<void> {
  if (!file) throw new Error('usage: node send-orders.ts orders.ndjson');
  await producer.connect();
  let [sent, bytes] = [0, 0];
  const waiting: Message[] = [];
  const send = async () => {
    // Resolves when all replicas have them.
    if (waiting.length > 0) await producer.send({ topic: TOPIC, acks: -1, messages: waiting });
    sent += waiting.splice(0).length;
    bytes = 0;
  };
  // As UTF-8, a line would end at U+2028, and what is not UTF-8 would be replaced in silence.
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
