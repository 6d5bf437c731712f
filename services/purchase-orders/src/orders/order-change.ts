import type { StatusChange } from '@po/contracts';
import type { Order } from '../domain/order.js';
import { LineItemEntity } from '../store/line-item.entity.js';
import { changedLineItems } from '../store/line-items.js';
import { type LockedRow, orderRowOf } from '../store/order-rows.js';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { type SearchTexts, changedSearchTexts, searchTextsOf } from '../store/search-texts.js';
import type { ChangeEntry, StoredOrder } from '../store/stored-order.js';
import { uuidV7 } from '../store/uuid-v7.js';
import { type AdoptedSettings, initialReminders, updateReminders } from '../domain/reminders/reminders.js';
import { current } from '../domain/values.js';
import { type OutboxEntry, OUTBOX_PARAMETERS, insertOutboxEntry, outboxValues } from '@po/messaging';
import { type Send, type Statement, onConflictUpdate, rowParameters, rowsParameters } from '@po/database';
import { CommandEntity } from '../idempotency/command.entity.js';
import { OrderEntity } from '../store/order.entity.js';

/** Number of recent status changes in an order's published state. */
const RECENT_ACTIVITY = 20;

/** Details of a change. `after` has the `version` and `sequence` from before the change (0 for a new order); the change raises them. */
export interface ChangeDetails {
  after: Order;
  /** Null for a silent change. */
  entry: ChangeEntry | null;
  now: Date;
  reminderSettings: AdoptedSettings;
  /** Present if the inventory system caused the change: `lastSyncedAt` becomes `now`. */
  synced?: Synced;
}

export interface Synced {
  /** The vendor name in the message. */
  vendorName: string;
  /** Digest of the message; null keeps the stored one. */
  digest: string | null;
}

/** Only the inventory system creates orders. */
export type Creation = Required<ChangeDetails>;

/** One change, computed once for storage, publication and response. */
export interface OrderChange {
  order: StoredOrder;
  row: LockedRow;
  entry: HistoryEntryEntity | null;
  /** Rows of the changed line items. */
  lineItems: LineItemEntity[];
  /** The new search texts; null if they do not change. */
  search: SearchTexts | null;
  /** Digest of the inventory message that caused the change; null for other changes. */
  sourceDigest: string | null;
  now: Date;
}

/** Now, but later than the previous change: replica clocks differ, and the times of an order's history must ascend. */
export const timeOfChange = (before: Pick<StoredOrder, 'updatedAt'> | null): Date =>
  new Date(Math.max(Date.now(), before ? Date.parse(before.updatedAt) + 1 : 0));

// ISO 8601 times in UTC compare as texts. Replica clocks differ, and a repeated message moves only this time.
const latest = (one: string, other: string): string => (one > other ? one : other);

/** The change of a stored order. Raises its version by exactly one and, with a history entry, also its sequence. */
export function updateOf(
  before: StoredOrder,
  { after, entry, now, reminderSettings, synced }: ChangeDetails,
): OrderChange {
  const at = now.toISOString();
  const times = { updatedAt: at, lastSyncedAt: synced ? latest(at, before.lastSyncedAt) : before.lastSyncedAt };
  const vendorName = synced?.vendorName ?? before.vendorName;
  const reminders = updateReminders(before.reminders, reminderFactsOf(after), now, reminderSettings);
  const order = { ...before, ...after, ...raised(before, entry), ...times, vendorName, reminders };
  return recorded(order, before, entry, now, synced ?? null);
}

/** The change that creates an order with this id. */
export function creationOf(id: number, { after, entry, now, reminderSettings, synced }: Creation): OrderChange {
  const at = now.toISOString();
  const times = { createdAt: at, updatedAt: at, lastSyncedAt: at };
  const reminders = initialReminders(reminderFactsOf(after), now, reminderSettings);
  const { vendorName } = synced;
  const order = { ...after, ...raised(after, entry), ...times, id, vendorName, reminders, recentActivity: [] };
  return recorded(order, null, entry, now, synced);
}

/** Stores the inventory system's last values if nothing visible changed: the version stays, and nothing is published. */
export function syncOf(before: StoredOrder, after: Order, synced: Synced, now: Date): OrderChange {
  const { version, sequence } = before;
  const times = { updatedAt: before.updatedAt, lastSyncedAt: latest(now.toISOString(), before.lastSyncedAt) };
  const order = { ...before, ...after, version, sequence, ...times, vendorName: synced.vendorName };
  return recorded(order, before, null, now, synced);
}

/** An empty change: the order as it is. */
export function unchanged(order: StoredOrder, now: Date): OrderChange {
  return recorded(order, order, null, now, null);
}

const reminderFactsOf = ({ statusId, xfd }: Order) => ({ statusId, xfDate: current(xfd) });

const raised = ({ version, sequence }: Order, entry: ChangeEntry | null) => ({
  version: version + 1,
  sequence: sequence + (entry ? 1 : 0),
});

function recorded(
  after: StoredOrder,
  before: StoredOrder | null,
  entry: ChangeEntry | null,
  now: Date,
  synced: Synced | null,
): OrderChange {
  const entryRow = entry && entryRowOf(after, before, entry, now);
  const moved = entryRow && statusChangeOf(entryRow);
  const order = moved
    ? { ...after, recentActivity: [moved, ...after.recentActivity].slice(0, RECENT_ACTIVITY) }
    : after;
  return {
    order,
    row: orderRowOf(order),
    entry: entryRow,
    lineItems: changedLineItems(order, before?.lines ?? [], order.lines),
    // Only the inventory system adds and removes lines.
    search: synced && changedSearch(before, order),
    sourceDigest: synced && synced.digest,
    now,
  };
}

function changedSearch(before: StoredOrder | null, after: StoredOrder): SearchTexts | null {
  if (!before) return searchTextsOf(after);
  return after.lines === before.lines ? null : changedSearchTexts(before, after);
}

/** The entry as a status change of the published state; null if the status stays. */
function statusChangeOf(row: HistoryEntryEntity): StatusChange | null {
  const { id, action, fromStatusId, toStatusId, comment, actorName, actorRole, occurredAt } = row;
  if (fromStatusId === null || fromStatusId === toStatusId) return null;
  return { id, action, fromStatusId, toStatusId, comment, actorName, actorRole, occurredAt: occurredAt.toISOString() };
}

function entryRowOf(
  order: StoredOrder,
  before: StoredOrder | null,
  { action, comment, actor, changes, agreed, deviation }: ChangeEntry,
  now: Date,
): HistoryEntryEntity {
  return {
    id: uuidV7(now),
    orderId: order.id,
    poNumber: order.poNumber,
    vendorCode: order.vendorCode,
    sequence: order.sequence,
    poVersion: order.version,
    action,
    fromStatusId: before?.statusId ?? null,
    toStatusId: order.statusId,
    comment,
    actorId: actor?.sub ?? null,
    actorName: actor?.name ?? null,
    actorRole: actor?.role ?? 'SYSTEM',
    occurredAt: now,
    changes,
    agreed: agreed ?? null,
    submission: deviation ?? null,
  };
}

const OUTBOX = 3;
const ENTRY = rowParameters(HistoryEntryEntity, OUTBOX + OUTBOX_PARAMETERS);
const ANSWER = rowParameters(CommandEntity, ENTRY.next);
const ORDER = rowParameters(OrderEntity, ANSWER.next, ['id', 'sourceDigest', 'createdAt']);
/** Line item columns that a user's change writes. Only the inventory system adds and removes lines. */
const NEGOTIATED_LINE_ITEMS = rowsParameters(LineItemEntity, ORDER.next, ['code', 'style', 'color', 'negotiated']);

// One statement, in which every part depends on the first: if the order is no longer at the version that the change was derived from,
// nothing is stored. A part without a row adds nothing.
const save = (name: string, lineItems: string): Statement => ({
  name,
  rows: 1,
  text: `WITH stored AS (
    UPDATE purchase_orders SET (${ORDER.columns.join(', ')}) = ROW(${ORDER.parameters.join(', ')})
     WHERE id = $1 AND version = $2 RETURNING id
  )${lineItems}, outbox_entry AS (
    ${insertOutboxEntry(OUTBOX, 'stored')}
  ), entry AS (
    INSERT INTO history (${ENTRY.columns.join(', ')})
    SELECT ${ENTRY.parameters.join(', ')} FROM stored WHERE ${ENTRY.parameters[0]} IS NOT NULL
  ), answer AS (
    INSERT INTO command_log (${ANSWER.columns.join(', ')})
    SELECT ${ANSWER.parameters.join(', ')} FROM stored WHERE ${ANSWER.parameters[0]} IS NOT NULL
    ${onConflictUpdate(CommandEntity, ['keyHash'])}
  )
  SELECT id FROM stored`,
});
const SAVE = save('save-change', '');
const SAVE_WITH_LINE_ITEMS = save(
  'save-change-with-line-items',
  `, negotiated AS (
    UPDATE line_items l SET negotiated = n.negotiated FROM stored, ${NEGOTIATED_LINE_ITEMS.rows}
     WHERE l.order_id = stored.id AND (l.code, l.style, l.color) = (n.code, n.style, n.color)
  )`,
);

// Unnamed, so that it is planned for the actual number of line items: a generic plan expects ten, and compares each with every line item of
// the order, which takes seconds for thousands.
const SAVE_WITH_MANY_LINE_ITEMS: Statement = { ...SAVE_WITH_LINE_ITEMS, name: '' };
const MANY_LINE_ITEMS = 50;

/**
 * Saves a user's change of an order: the order, its changed line items, its history entry, the outbox entry that publishes it, and the
 * answer, unless another change of the command saves that. Rejects if the order is no longer at the version before the change; the
 * transaction must then be retried.
 */
export function saveChange(
  send: Send,
  { order, row, entry, lineItems }: OrderChange,
  outbox: OutboxEntry,
  answer: CommandEntity | null,
): Promise<unknown> {
  return send(statementFor(lineItems.length), [
    order.id,
    order.version - 1,
    ...outboxValues(outbox),
    ...ENTRY.values(entry),
    ...ANSWER.values(answer),
    ...ORDER.values(row),
    ...(lineItems.length > 0 ? NEGOTIATED_LINE_ITEMS.values(lineItems) : []),
  ]);
}

function statementFor(lineItems: number): Statement {
  if (lineItems > MANY_LINE_ITEMS) return SAVE_WITH_MANY_LINE_ITEMS;
  return lineItems > 0 ? SAVE_WITH_LINE_ITEMS : SAVE;
}
