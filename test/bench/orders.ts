import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@po/testing/eventually';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { openInventoryFeed, upsertMessage } from '#local/inventory-feed.js';
import type { BenchStack } from './stack.js';

/** Orders that requests use; measured imports come on top. */
export const LOADED_ORDERS = 256;
export const LINES = 12;
/** Small, so that generating a batch delays no concurrent request. */
const PER_SEND = 25;
const IMPORT_MS = 60 * 60_000;

/** Orders of one revision, imported together. */
export interface Batch {
  count: number;
  /** Order by index, from 0. */
  orderAt: (index: number) => { poNumber: string; sourceRevision: number };
}

export const poNumber = (index: number): string => `BENCH-${String(index).padStart(5, '0')}`;

/** Orders of one demo vendor, starting at this index. */
export const smallOrders = (first: number, count: number): Batch => ({
  count,
  orderAt: (index) => ({
    poNumber: poNumber(first + index),
    sourceRevision: 1,
    poDate: '2026-01-05',
    xfd: '2027-03-01',
    vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' },
    currency: 'USD',
    lines: Array.from({ length: LINES }, (_, index) => ({
      lineId: String(index + 1),
      code: `TS-${index % 3}`,
      style: 'TS',
      color: `C${index % 3}`,
      size: String(28 + 2 * Math.floor(index / 3)),
      qty: 10 + index,
      unitPrice: 12.5,
    })),
  }),
});

/** The generated orders that the options describe; by default 50 lines each and 500 vendors. */
export const assortmentOf = (sizes: Pick<Assortment, 'orders'> & Partial<Assortment>): Assortment => ({
  lines: 50,
  vendors: 500,
  seed: 1,
  today: new Date().toISOString().slice(0, 10),
  ...sizes,
});

/** All generated orders at this revision; the quantity of each first line is increased by `more`. */
export const allOf = (assortment: Assortment, sourceRevision = 1, more = 0): Batch => ({
  count: assortment.orders,
  orderAt: (index) => {
    const order = orderOf(assortment, index);
    const lines = order.lines.map((line, nth) => (nth === 0 ? { ...line, qty: line.qty + more } : line));
    return { ...order, sourceRevision, lines };
  },
});

/** Sends all orders to the inventory topic. Resolves with their revision when the broker has acknowledged them. */
export async function sendAll({ file }: BenchStack, { count, orderAt }: Batch): Promise<number> {
  const feed = await openInventoryFeed(file.kafkaBrokers);
  for (let first = 0; first < count; first += PER_SEND) {
    const length = Math.min(PER_SEND, count - first);
    await feed.send(Array.from({ length }, (_, index) => upsertMessage(orderAt(first + index))));
  }
  await feed.close();
  return orderAt(0).sourceRevision;
}

/** Resolves when the database has this many orders at the revision or a later one. Each poll counts all orders. */
export async function waitUntilStored(
  { orders }: BenchStack,
  count: number,
  revision: number,
  pauseMs = 0,
): Promise<void> {
  const all = async () => {
    const { rows } = await orders.query<{ count: string }>(
      'SELECT count(*) FROM purchase_orders WHERE source_revision >= $1',
      [revision],
    );
    return Number(rows[0]?.count) >= count || delay(pauseMs, false as const);
  };
  await eventually(`${count} orders are stored`, all, { timeoutMs: IMPORT_MS });
}

/** Imports all orders. Resolves with the orders per second until every service has processed them. */
export async function importAll(stack: BenchStack, batch: Batch): Promise<number> {
  const startedAt = performance.now();
  await waitUntilStored(stack, batch.count, await sendAll(stack, batch));
  await stack.settled();
  return batch.count / ((performance.now() - startedAt) / 1000);
}

/** Makes the users of these tokens known, so that they get notifications. */
export async function announce(stack: BenchStack, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) await fetch(`${stack.url}/api/me`, { headers: { 'x-user-token': token } });
  await stack.settled();
}

/** Imports the orders that requests use, after the users to notify are known. */
export async function importLoadedOrders(stack: BenchStack, count = LOADED_ORDERS): Promise<void> {
  await announce(stack, Object.values(stack.file.tokens));
  await importAll(stack, smallOrders(0, count));
}
