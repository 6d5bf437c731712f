// Stores the messages about purchase orders, one per line. Each is stored once, however often its record is delivered and whenever this
// program is killed. Omits internal messages unless INTERNAL is set: never show them to users of a vendor.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Consumer, stringDeserializer } from '@platformatic/kafka';

const { KAFKA_BROKERS = '127.0.0.1:9092', GROUP = 'example-messages' } = process.env;
const { MESSAGES_FILE = 'messages.ndjson', INTERNAL } = process.env;

type Message = Record<'id' | 'poRef' | 'visibility' | 'authorName' | 'body', string>;

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
    const isMessage = String(headers.get('ce_type')) === 'po.message-posted.v1';
    const posted = isMessage ? readable(String(value), `${partition}/${offset}`) : null;
    // A failed write ends the program before the commit, so that the record is delivered again.
    if (posted) keep(posted);
    // Committed after the message was written: after a kill, the last record may be delivered again.
    await message.commit();
  }
  await consumer.close(true);
}

/** Returns the message, or null if the record has none. ledger.ts shows how to dead-letter such a record. */
function readable(value: string, place: string): Message | null {
  try {
    const message = JSON.parse(value);
    if (typeof message.id !== 'string' || typeof message.body !== 'string') throw new Error('id or body is not text');
    return message;
  } catch (error) {
    console.error(`cannot read ${place}: ${String(error)}`);
    return null;
  }
}

/** Visibilities may be added: anything other than `all` is treated as internal. */
function keep({ id, poRef, visibility, authorName, body }: Message): void {
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
  console.error(String(error));
  process.exitCode = 1;
});
process.exit();
