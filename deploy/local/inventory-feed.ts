import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import {
  HEADERS,
  INVENTORY_TYPES,
  type InventoryType,
  ProblemError,
  PurchaseOrderCancelled,
  TOPICS,
  validate,
} from '@po/contracts';
import { connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { kafkaAt } from './kafka-settings.js';

export interface InventoryMessage {
  type: InventoryType;
  poNumber: string;
  /** The JSON text. */
  value: string;
}

/** Creates the message with a whole order. */
export const upsertMessage = (snapshot: { poNumber: string }): InventoryMessage => ({
  type: 'purchase-order.upserted',
  poNumber: snapshot.poNumber,
  value: JSON.stringify(snapshot),
});

/** A line that is not a valid message, with the reason. */
export interface InvalidLine {
  /** Line number, from 1. */
  line: number;
  reason: string;
}

/**
 * Reads messages and bad lines from an NDJSON file; empty lines are skipped. An object that has only the fields of a
 * cancellation is one; any other is an order. Reads line by line, because the orders of a large brand exceed the maximum length of a string.
 */
export async function* readNdjson(file: FileHandle): AsyncGenerator<InventoryMessage | InvalidLine> {
  let number = 0;
  // Read as bytes: as text, a line would also end at U+2028, which a JSON string may contain, and invalid UTF-8 would be replaced.
  for await (const bytes of file.readLines({ encoding: 'latin1' })) {
    number += 1;
    const message = parseLine(Buffer.from(bytes, 'latin1'));
    if (message !== null) yield typeof message === 'string' ? { line: number, reason: message } : message;
  }
}

function parseLine(bytes: Buffer): InventoryMessage | string | null {
  if (!isUtf8(bytes)) return 'not UTF-8, which the file must be';
  const line = bytes.toString().trim();
  if (line === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return error instanceof Error ? `not valid JSON: ${error.message}` : 'not valid JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object';
  // A cancellation is final, so an order with missing or misspelled fields must not be taken for one.
  const isCancellation = Object.keys(value).every((field) => Object.hasOwn(PurchaseOrderCancelled.shape, field));
  const type = isCancellation ? 'purchase-order.cancelled' : 'purchase-order.upserted';
  try {
    return { type, poNumber: validate(INVENTORY_TYPES[type], value, 'body').poNumber, value: line };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return (error.options.errors ?? []).map(({ pointer, message }) => `${pointer} ${message.en}`.trim()).join('; ');
  }
}

/** A connection to the inventory topic. `send` keeps the order and resolves once the brokers have stored all messages. */
export interface InventoryFeed {
  send(messages: readonly InventoryMessage[]): Promise<void>;
  close(): Promise<void>;
}

export async function openInventoryFeed(kafkaBrokers: string): Promise<InventoryFeed> {
  const producer = connectKafka(
    kafkaAt(kafkaBrokers),
    'inventory-feed',
    createLogger('inventory-feed', 'silent'),
  ).producer({
    acks: 'all',
  });
  await producer.connect();
  const send = async (messages: readonly InventoryMessage[]) => {
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
  };
  return { send, close: () => producer.disconnect() };
}

/** Sends messages to the inventory topic in order. Resolves once the brokers have stored all of them. */
export async function sendToInventory(kafkaBrokers: string, messages: readonly InventoryMessage[]): Promise<void> {
  const feed = await openInventoryFeed(kafkaBrokers);
  await feed.send(messages).finally(() => feed.close());
}

// Small, because orders can have thousands of lines and a batch must stay far below the brokers' request limit.
const BATCH = 20;
