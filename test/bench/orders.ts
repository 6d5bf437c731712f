import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@po/testing/eventually';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { openInventoryFeed, upserted } from '#local/inventory-feed.js';
import type { BenchStack } from './stack.js';

/** Orders that requests are made for; imports that are measured come on top. */
export const LOADED_ORDERS = 256;
export const CELLS = 12;
const PER_SEND = 100;
const IMPORT_MS = 60 * 60_000;

type GeneratedOrder = ReturnType<typeof orderOf>;
type Revise = (order: GeneratedOrder) => GeneratedOrder;

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

/** The same order at this revision. */
export const sameAgain =
  (sourceRevision: number): Revise =>
  (order) => ({ ...order, sourceRevision });

/** The order at this revision, with another quantity of its first line. */
export const otherQuantity =
  (sourceRevision: number): Revise =>
  ({ lines: [line, ...lines], ...order }) => ({
    ...order,
    sourceRevision,
    lines: line ? [{ ...line, qty: line.qty + 1 }, ...lines] : lines,
  });

/** All generated orders, as `revise` makes them. */
export const allOf = (assortment: Assortment, revise: Revise): Batch => ({
  count: assortment.orders,
  orderAt: (index) => revise(orderOf(assortment, index)),
});

/** Sends all to the inventory topic; resolves with their revision when the broker has them. */
export async function sendAll({ file }: BenchStack, { count, orderAt }: Batch): Promise<number> {
  const feed = await openInventoryFeed(file.kafkaBrokers);
  let revision = 0;
  try {
    for (let first = 0; first < count; first += PER_SEND) {
      const length = Math.min(PER_SEND, count - first);
      const orders = Array.from({ length }, (_, index) => orderAt(first + index));
      revision = orders[0]?.sourceRevision ?? revision;
      await feed.send(orders.map(upserted));
    }
  } finally {
    await feed.close();
  }
  return revision;
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

/** Imports the orders that requests are made for, when the users who are notified of them are known. */
export async function importLoadedOrders(stack: BenchStack, count = LOADED_ORDERS): Promise<void> {
  for (const token of Object.values(stack.file.tokens)) {
    await fetch(`${stack.url}/api/me`, { headers: { 'x-user-token': token } });
  }
  await stack.settled();
  await importAll(stack, smallOrders(0, count));
}
