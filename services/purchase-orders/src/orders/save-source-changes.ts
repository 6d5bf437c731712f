import {
  type Send,
  type Statement,
  assignments,
  insertRows,
  onConflictUpdate,
  rowsIn,
  rowsParameters,
} from '@po/database';
import { insertOutboxEntries, outboxValues } from '@po/messaging';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { LineItemEntity } from '../store/line-item.entity.js';
import { OrderEntity } from '../store/order.entity.js';
import { saveSearchTexts } from '../store/search-texts.js';
import type { OrderChange } from './order-change.js';
import { outboxEntryOf } from './outbox-entry.js';

/** A change that the inventory system caused. */
export interface SourceChange {
  change: OrderChange;
  /** The version of the order that the change was derived from; null creates the order. */
  version: number | null;
  /** Null if nothing is published, because nothing visible changed. */
  traceparent: string | null;
}

// A lost race to create or change an order must lead to a retry; a unique violation would count as bad content.
const CREATE: Statement = {
  name: 'create-orders',
  text: `${insertRows(OrderEntity, { overriding: true })} ON CONFLICT DO NOTHING RETURNING id`,
};

const KEPT = ['id', 'sourceDigest', 'createdAt'] as const;
const CHANGE: Statement = {
  name: 'change-orders',
  text: `UPDATE purchase_orders o
            SET ${assignments(OrderEntity, KEPT)},
                source_digest = coalesce(n."sourceDigest", o.source_digest)
           FROM ${rowsIn(OrderEntity, ['"before" integer'])}
          WHERE o.id = n.id AND o.version = n."before" RETURNING o.id`,
};

const LINE_ITEMS = rowsParameters(LineItemEntity, 1);
const SAVE_LINE_ITEMS: Statement = {
  name: 'save-line-items',
  text: `${LINE_ITEMS.insert} ${onConflictUpdate(LineItemEntity, ['orderId', 'code', 'style', 'color'])}`,
};
const ADD_HISTORY: Statement = { name: 'add-history', text: insertRows(HistoryEntryEntity) };

/**
 * Saves changes of different orders: the orders, their changed line items, history entries, outbox rows and search texts. Rejects if one
 * of the orders is at another version or was created concurrently; the transaction must then be retried. Resolves
 * when all statements are sent: COMMIT may follow.
 */
export async function saveSourceChanges(send: Send, changes: readonly SourceChange[]): Promise<void> {
  const indexed = changes.flatMap(({ change: { order, search } }) =>
    search ? [{ orderId: order.id, vendorCode: order.vendorCode, search }] : [],
  );
  const [created, changed] = await Promise.all([
    saved(send, CREATE, changes.filter(({ version }) => version === null).map(sourceRowOf)),
    saved(send, CHANGE, changes.filter(({ version }) => version !== null).map(sourceRowOf)),
  ]);
  const missed = changes.length - created.length - changed.length;
  if (missed > 0) throw new Error(`${missed} of ${changes.length} orders were changed concurrently`);
  const lineItems = changes.flatMap(({ change }) => change.lineItems);
  if (lineItems.length > 0) void send(SAVE_LINE_ITEMS, LINE_ITEMS.values(lineItems));
  const entries = changes.flatMap(({ change }) => change.entry ?? []);
  void saved(send, ADD_HISTORY, entries);
  const outbox = changes.flatMap(({ change, traceparent }) =>
    traceparent === null ? [] : [outboxEntryOf(change, traceparent)],
  );
  // Built for the number of entries: in a JSON parameter, an entry's text would be encoded twice.
  const addOutbox = { name: '', text: insertOutboxEntries(outbox.length) };
  if (outbox.length > 0) void send(addOutbox, outbox.flatMap(outboxValues));
  saveSearchTexts(send, indexed);
}

const saved = <Row>(send: Send, statement: Statement, rows: readonly Row[]): Promise<object[]> =>
  rows.length > 0 ? send(statement, [JSON.stringify(rows)]) : Promise.resolve([]);

function sourceRowOf({ change: { row, sourceDigest }, version }: SourceChange) {
  return { ...row, sourceDigest, before: version };
}
