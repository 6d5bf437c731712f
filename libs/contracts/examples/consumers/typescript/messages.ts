// Stores the messages about purchase orders, one per line. Each is stored once, however often its record is delivered and whenever this
// program is killed. Omits internal messages unless INTERNAL is set: never show them to users of a vendor.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Consumer, stringDeserializer } from '@platformatic/kafka';

const { KAFKA_BROKERS = '127.0.0.1:9092', GROUP = 'example-messages' } = process.env;
const { MESSAGES_FILE = 'messages.ndjson', INTERNAL } = process.env;

const consumer = new Consumer({
  clientId: GROUP,
  bootstrapBrokers: KAFKA_BROKERS.split(','),
  groupId: GROUP,
  sessionTimeout: 6_000,
  rebalanceTimeout: 6_000,
  deserializers: { headerKey: stringDeserializer },
});
const known = new Set<string>();

async function main(): Promise<void> {
  for (const line of wholeLines()) known.add(JSON.parse(line).id);
  console.error(`has ${known.size} messages`);
  const start = { mode: 'committed', fallbackMode: 'earliest' } as const;
  const stream = await consumer.consume({ topics: ['po.messages.v1'], autocommit: false, ...start });
  process.once('SIGTERM', () => void stream.close());
  for await (const message of stream) {
    const { partition, offset, headers, value } = message;
    // Other types are from a newer version.
    if (String(headers.get('ce_type')) === 'po.message-posted.v1') {
      try {
        keep(JSON.parse(String(value)));
      } catch (error) {
        // ledger.ts shows how to dead-letter such a record.
        console.error(`cannot read ${partition}/${offset}: ${String(error)}`);
      }
    }
    // Committed after the message was written: after a kill, the last record may be delivered again.
    await message.commit();
  }
  await consumer.close(true);
}

/** Visibilities may be added: anything other than `all` is treated as internal. */
function keep({ id, poRef, visibility, authorName, body }: Record<string, string>): void {
  if (typeof id !== 'string' || typeof body !== 'string') throw new Error('id or body is not text');
  if (known.has(id) || (visibility !== 'all' && !INTERNAL)) return;
  appendFileSync(MESSAGES_FILE, `${JSON.stringify({ id, poRef, visibility, authorName, body })}\n`, { flush: true });
  known.add(id);
}

/** Returns the complete lines and removes a last line that was cut off by a kill. */
function wholeLines(): string[] {
  if (!existsSync(MESSAGES_FILE)) return [];
  const text = readFileSync(MESSAGES_FILE, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeFileSync(MESSAGES_FILE, whole, { flush: true });
  return whole.split('\n').filter(Boolean);
}

await main().catch((error) => {
  console.error(`Kafka at ${KAFKA_BROKERS}: ${error}`);
  process.exitCode = 1;
});
process.exit();
