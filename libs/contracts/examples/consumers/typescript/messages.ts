// Keeps what is written about purchase orders, one message a line. Each is there once, however often its record comes and whenever this is
// killed. Internal messages are left out, unless INTERNAL is set: show them to nobody of a vendor.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Kafka, logLevel } from 'kafkajs';

const { KAFKA_BROKERS = '127.0.0.1:9092', GROUP = 'example-messages' } = process.env;
const { MESSAGES_FILE = 'messages.ndjson', INTERNAL } = process.env;

const kafka = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING });
const known = new Set<string>();

async function main(): Promise<void> {
  for (const line of wholeLines()) known.add(JSON.parse(line).id);
  console.error(`has ${known.size} messages`);
  const consumer = kafka.consumer({ groupId: GROUP, sessionTimeout: 6_000 });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  consumer.on('consumer.crash', ({ payload }) => payload.restart || reject(payload.error));
  process.once('SIGTERM', resolve);
  await consumer.connect();
  await consumer.subscribe({ topic: 'po.messages.v1', fromBeginning: true });
  // An offset is committed after its message was written: after a kill the last ones come again.
  await consumer.run({
    eachMessage: async ({ partition, message: { headers, value, offset } }) => {
      // Of a newer version.
      if (String(headers?.ce_type) !== 'po.message-posted.v1') return;
      try {
        keep(JSON.parse(String(value)));
      } catch (error) {
        // ledger.ts shows how it is set aside.
        console.error(`cannot read ${partition}/${offset}: ${String(error)}`);
      }
    },
  });
  await promise.finally(() => consumer.disconnect());
}

/** Visibilities may be added: what is not for all is treated as internal. */
function keep({ id, poRef, visibility, authorName, body }: Record<string, string>): void {
  if (typeof id !== 'string' || typeof body !== 'string') throw new Error('id or body is no text');
  if (known.has(id) || (visibility !== 'all' && !INTERNAL)) return;
  appendFileSync(MESSAGES_FILE, `${JSON.stringify({ id, poRef, visibility, authorName, body })}\n`, { flush: true });
  known.add(id);
}

/** A kill may have cut the last line. */
function wholeLines(): string[] {
  if (!existsSync(MESSAGES_FILE)) return [];
  const text = readFileSync(MESSAGES_FILE, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeFileSync(MESSAGES_FILE, whole, { flush: true });
  return whole.split('\n').filter(Boolean);
}

await main().catch((error) => {
  console.error(`Kafka at ${KAFKA_BROKERS}: ${error.message}`);
  process.exitCode = 1;
});
process.exit();
