import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@po/testing/eventually';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { openInventoryFeed, upserted } from '#local/inventory-feed.js';
import type { BenchStack } from './stack.js';

/** Orders that requests are made for; imports that are measured come on top. */
export const LOADED_ORDERS = 256;
export const CELLS = 12;
/** Few enough that making them delays no request of a load at the same time. */
const PER_SEND = 25;
const IMPORT_MS = 60 * 60_000;

/** Orders of one revision that are imported together. */
export interface Batch {
  count: number;
  /** By its index, from 0. */
  orderAt: (index: number) => { poNumber: string; sourceRevision: number };
}

export const poNumber = (index: number): string => `BENCH-${String(index).padStart(5, '0')}`;

/** Orders of one demo vendor, from this index on. */
export const smallOrders = (first: number, count: number): Batch => ({
  count,
  orderAt: (index) => ({
    poNumber: poNumber(first + index),
    sourceRevision: 1,
    poDate: '2026-01-05',
    xfd: '2027-03-01',
    vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' },
    currency: 'USD',
    lines: Array.from({ length: CELLS }, (_, cell) => ({
      lineId: String(cell + 1),
      code: `TS-${cell % 3}`,
      style: 'TS',
      color: `C${cell % 3}`,
      size: String(28 + 2 * Math.floor(cell / 3)),
      qty: 10 + cell,
      unitPrice: 12.5,
    })),
  }),
});

/** The generated orders that the options describe; 50 lines each from 500 vendors if not told otherwise. */
export const assortmentOf = (sizes: Pick<Assortment, 'orders'> & Partial<Assortment>): Assortment => ({
  cells: 50,
  vendors: 500,
  seed: 1,
  today: new Date().toISOString().slice(0, 10),
  ...sizes,
});

/** All generated orders at this revision, with so many pieces more in each first line than generated. */
export const allOf = (assortment: Assortment, sourceRevision = 1, more = 0): Batch => ({
  count: assortment.orders,
  orderAt: (index) => {
    const order = orderOf(assortment, index);
    const lines = order.lines.map((line, nth) => (nth === 0 ? { ...line, qty: line.qty + more } : line));
    return { ...order, sourceRevision, lines };
  },
});

/** Sends all to the inventory topic; resolves with their revision when the broker has them. */
export async function sendAll({ file }: BenchStack, { count, orderAt }: Batch): Promise<number> {
  const feed = await openInventoryFeed(file.kafkaBrokers);
  for (let first = 0; first < count; first += PER_SEND) {
    const length = Math.min(PER_SEND, count - first);
    await feed.send(Array.from({ length }, (_, index) => upserted(orderAt(first + index))));
  }
  await feed.close();
  return orderAt(0).sourceRevision;
}

/** Resolves when so many orders are in the database at this revision or a later one. Each look counts all orders. */
export async function stored({ orders }: BenchStack, count: number, revision: number, pauseMs = 0): Promise<void> {
  const all = async () => {
    const { rows } = await orders.query<{ count: string }>(
      'SELECT count(*) FROM purchase_orders WHERE source_revision >= $1',
      [revision],
    );
    return Number(rows[0]?.count) >= count || delay(pauseMs, false as const);
  };
  await eventually(`${count} orders are stored`, all, { timeoutMs: IMPORT_MS });
}

/** Imports all; resolves with the orders a second until every service has them. */
export async function importAll(stack: BenchStack, batch: Batch): Promise<number> {
  const startedAt = performance.now();
  await stored(stack, batch.count, await sendAll(stack, batch));
  await stack.settled();
  return batch.count / ((performance.now() - startedAt) / 1000);
}

/** Makes the users of these tokens known, who are notified from then on. */
export async function announce(stack: BenchStack, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) await fetch(`${stack.url}/api/me`, { headers: { 'x-user-token': token } });
  await stack.settled();
}

/** Imports the orders that requests are made for, when the users who are notified of them are known. */
export async function importLoadedOrders(stack: BenchStack, count = LOADED_ORDERS): Promise<void> {
  await announce(stack, Object.values(stack.file.tokens));
  await importAll(stack, smallOrders(0, count));
}
