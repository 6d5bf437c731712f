import { HEADERS, INVENTORY_TYPES, type InventoryType, TOPICS } from '@po/contracts';
import { connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';

export interface InventoryMessage {
  type: InventoryType;
  poNumber: string;
  /** The JSON text. */
  value: string;
}

/** A line that is no message, and why. */
export interface BadLine {
  /** From 1. */
  line: number;
  reason: string;
}

/** Messages of an NDJSON text, one object a line; empty lines are skipped. An object without lines and vendor is a cancellation. */
export function parseNdjson(text: string): { messages: InventoryMessage[]; bad: BadLine[] } {
  const messages: InventoryMessage[] = [];
  const bad: BadLine[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const message = parseLine(line.trim());
    if (typeof message === 'string') bad.push({ line: index + 1, reason: message });
    else messages.push(message);
  }
  return { messages, bad };
}

function parseLine(line: string): InventoryMessage | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return error instanceof Error ? `no JSON: ${error.message}` : 'no JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'no JSON object';
  const type = 'lines' in value || 'vendor' in value ? 'purchase-order.upserted' : 'purchase-order.cancelled';
  const parsed = INVENTORY_TYPES[type].safeParse(value);
  if (parsed.success) return { type, poNumber: parsed.data.poNumber, value: line };
  return parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the object'}: ${message}`).join('; ');
}

/** Sends messages to the inventory topic, in order; resolves when the brokers stored them all. */
export async function sendToInventory(kafkaBrokers: string, messages: readonly InventoryMessage[]): Promise<void> {
  const settings = { KAFKA_BROKERS: kafkaBrokers.split(',') };
  const producer = connectKafka(settings, 'inventory-feed', createLogger('inventory-feed', 'silent')).producer({
    acks: 'all',
  });
  await producer.connect();
  try {
    for (let start = 0; start < messages.length; start += BATCH) {
      await producer.send(
        messages.slice(start, start + BATCH).map(({ type, poNumber, value }) => ({
          topic: TOPICS.inventory,
          key: poNumber,
          value,
          headers: { [HEADERS.inventoryType]: type },
        })),
      );
    }
  } finally {
    await producer.disconnect();
  }
}

// Orders can have thousands of lines: a batch must stay far below what a broker takes in one request.
const BATCH = 20;
