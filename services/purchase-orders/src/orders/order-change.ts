import type { StatusChange } from '@po/contracts';
import type { Order } from '../domain/order.js';
import { LineItemEntity } from '../store/line-item.entity.js';
import { changedLineItems } from '../store/line-items.js';
import { type LockedRow, rowOf } from '../store/order-rows.js';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { type SearchTexts, changedSearchTexts, searchTextsOf } from '../store/search-texts.js';
import type { ChangeEntry, StoredOrder } from '../store/stored-order.js';
import { uuidV7 } from '../store/uuid-v7.js';
import { type ReminderPolicy, beginReminders, followReminders } from '../domain/reminders/reminders.js';
import { current } from '../domain/values.js';
import { type OutboxEntry, OUTBOX_PARAMETERS, insertOutboxEntry, outboxValues } from '@po/messaging';
import { type Send, type Statement, overwriting, rowParameters, rowsParameters } from '@po/database';
import { CommandEntity } from '../idempotency/command.entity.js';
import { OrderEntity } from '../store/order.entity.js';

/** How many of an order's status changes its published state repeats. */
const RECENT_ACTIVITY = 20;

/** What a change does to an order. `version` and `sequence` of `after` are as before it (0 for a new order): the change raises them. */
export interface ChangeDetails {
  after: Order;
  /** Null for a silent change. */
  entry: ChangeEntry | null;
  now: Date;
  reminders: ReminderPolicy;
  /** The inventory system caused it: `lastSyncedAt` moves to `now`. */
  synced?: Synced;
}

export interface Synced {
  /** The name that came with it. */
  vendorName: string;
  /** Of the message; null for one that is no whole order. */
  digest: string | null;
}

/** Only the inventory system creates orders. */
export type Creation = Required<ChangeDetails>;

/** One change, computed once for all that is stored, published and answered of it. */
export interface OrderChange {
  order: StoredOrder;
  row: LockedRow;
  entry: HistoryEntryEntity | null;
  /** Rows of the line items that it changed. */
  lineItems: LineItemEntity[];
  /** What the search finds it by; null when that stays. */
  search: SearchTexts | null;
  /** Of the inventory system's last message, where it caused the change. */
  sourceDigest: string | null;
  now: Date;
}

/** Now, but after the change before: clocks of replicas differ, and the times of an order's history rise with it. */
export const timeOfChange = (before: Pick<StoredOrder, 'updatedAt'> | null): Date =>
  new Date(Math.max(Date.now(), before ? Date.parse(before.updatedAt) + 1 : 0));

/** The change of a stored order: its version rises by exactly one, and with an entry its sequence. */
export function updateOf(
  before: StoredOrder,
  { after, entry, now, reminders: policy, synced }: ChangeDetails,
): OrderChange {
  const at = now.toISOString();
  const times = { updatedAt: at, lastSyncedAt: synced ? at : before.lastSyncedAt };
  const vendorName = synced?.vendorName ?? before.vendorName;
  const reminders = followReminders(before.reminders, reminderFactsOf(after), now, policy);
  const order = { ...before, ...after, ...raised(before, entry), ...times, vendorName, reminders };
  return recorded(order, before, entry, now, synced ?? null);
}

/** The change that creates an order under an id. */
export function creationOf(id: number, { after, entry, now, reminders: policy, synced }: Creation): OrderChange {
  const at = now.toISOString();
  const times = { createdAt: at, updatedAt: at, lastSyncedAt: at };
  const reminders = beginReminders(reminderFactsOf(after), now, policy);
  const { vendorName } = synced;
  const order = { ...after, ...raised(after, entry), ...times, id, vendorName, reminders, recentActivity: [] };
  return recorded(order, null, entry, now, synced);
}

/** What the inventory system sent last, where nothing that people see has changed: the version stays and nothing is published. */
export function syncOf(before: StoredOrder, after: Order, synced: Synced, now: Date): OrderChange {
  const { version, sequence } = before;
  const times = { updatedAt: before.updatedAt, lastSyncedAt: now.toISOString() };
  const order = { ...before, ...after, version, sequence, ...times, vendorName: synced.vendorName };
  return recorded(order, before, null, now, synced);
}

/** No change at all: the order as it is. */
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
    row: rowOf(order),
    entry: entryRow,
    lineItems: changedLineItems(order, before?.cells ?? [], order.cells),
    // Only the inventory system adds and removes rows.
    search: synced && changedSearch(before, order),
    sourceDigest: synced && synced.digest,
    now,
  };
}

function changedSearch(before: StoredOrder | null, after: StoredOrder): SearchTexts | null {
  if (!before) return searchTextsOf(after);
  return after.cells === before.cells ? null : changedSearchTexts(before, after);
}

/** The entry as the order's record repeats it; null where the status stays. */
function statusChangeOf(row: HistoryEntryEntity): StatusChange | null {
  const { id, action, fromStatusId, toStatusId, comment, actorName, actorRole, occurredAt } = row;
  if (fromStatusId === null || fromStatusId === toStatusId) return null;
  return { id, action, fromStatusId, toStatusId, comment, actorName, actorRole, occurredAt: occurredAt.toISOString() };
}

function entryRowOf(
  order: StoredOrder,
  before: StoredOrder | null,
  { action, comment, actor, changes, agreed, submission }: ChangeEntry,
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
    submission: submission ?? null,
  };
}

const OUTBOX = 3;
const ENTRY = rowParameters(HistoryEntryEntity, OUTBOX + OUTBOX_PARAMETERS);
const ANSWER = rowParameters(CommandEntity, ENTRY.next);
const ORDER = rowParameters(OrderEntity, ANSWER.next, ['id', 'sourceDigest', 'createdAt']);
/** What a change of a user can change of a line item; its size rows come and go by the inventory system alone. */
const NEGOTIATED = rowsParameters(LineItemEntity, ORDER.next, ['code', 'style', 'color', 'negotiated']);

// One statement, so that every part hangs on the first: an order that is no longer at the version which the change was derived from lets
// nothing of it be stored. A part without a row adds nothing.
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
    ${overwriting(CommandEntity, ['keyHash'])}
  )
  SELECT id FROM stored`,
});
const SAVE = save('save-change', '');
const SAVE_WITH_LINE_ITEMS = save(
  'save-change-with-line-items',
  `, negotiated AS (
    UPDATE line_items l SET negotiated = n.negotiated FROM stored, ${NEGOTIATED.rows}
     WHERE l.order_id = stored.id AND (l.code, l.style, l.color) = (n.code, n.style, n.color)
  )`,
);

// Planned anew for as many line items as there are: a plan that is kept for any number expects ten, and compares each with each line item
// of the order, which for thousands is seconds.
const SAVE_WITH_MANY_LINE_ITEMS: Statement = { ...SAVE_WITH_LINE_ITEMS, name: '' };
const MANY_LINE_ITEMS = 50;

/** What is stored beside the change itself. */
export interface SavedWith {
  /** What is published of it. */
  outbox: OutboxEntry;
  /** The answer that the change's idempotency key is remembered for. */
  answer: CommandEntity | null;
}

/**
 * Records a user's change on an order of this version: the order, its changed line items, its history entry, one outbox row and the answer.
 * Rejects when the order is at another version; the transaction must then be tried anew.
 */
export function saveChange(
  send: Send,
  change: OrderChange,
  version: number,
  { outbox, answer }: SavedWith,
): Promise<unknown> {
  const { order, row, entry, lineItems } = change;
  return send(statementFor(lineItems.length), [
    order.id,
    version,
    ...outboxValues(outbox),
    ...ENTRY.values(entry),
    ...ANSWER.values(answer),
    ...ORDER.values(row),
    ...(lineItems.length > 0 ? NEGOTIATED.values(lineItems) : []),
  ]);
}

function statementFor(lineItems: number): Statement {
  if (lineItems > MANY_LINE_ITEMS) return SAVE_WITH_MANY_LINE_ITEMS;
  return lineItems > 0 ? SAVE_WITH_LINE_ITEMS : SAVE;
}
