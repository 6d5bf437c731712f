import {
  type Activity,
  type Agreement,
  type HistoryEntry,
  NEGOTIATED,
  NEGOTIATED_FIELDS,
  type NegotiatedField,
  type NegotiatedName,
  type PurchaseOrderContent,
  type PurchaseOrderDetail,
  type PurchaseOrderState,
  type PurchaseOrderTransitioned,
  type Role,
  entryLabels,
} from '@po/contracts';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { moneyToNumber } from '../domain/money.js';
import type { Line, Order } from '../domain/order.js';
import { type OrderRow, termsOf } from '../store/order-rows.js';
import type { StoredOrder } from '../store/stored-order.js';
import { nextDueOf, summaryOf } from '../lists/summary.view.js';
import {
  agreedLineOf,
  agreedTermsOf,
  currentPrice,
  currentQty,
  identityOf,
  isLineAgreed,
  type Lines,
  currentLines,
  linesByItem,
  lineItemOf,
  memoizeByLines,
} from '../domain/values.js';
import { availableActions, editableFields } from '../domain/workflow.js';
import type { OrderSettings } from './order-settings.js';

function contentOf(row: OrderRow, now: Date): PurchaseOrderContent {
  return {
    ...summaryOf(row, now),
    ...negotiated('original', (names) => row[names.original]),
    ...negotiated('reply', (names) => row[names.reply]),
    ...negotiated('current', ({ reply, original }) => row[reply] ?? row[original]),
    vendorReplyComment: row.vendorReplyComment,
    ...termsOf(row),
    agreedAt: row.agreedAt?.toISOString() ?? null,
    ...negotiated('agreed', (names) => row[names.agreed]),
    sourceRevision: Number(row.sourceRevision),
    lastSyncedAt: row.lastSyncedAt.toISOString(),
  };
}

type Names = (typeof NEGOTIATED)[NegotiatedField];

/** The values of all negotiated fields, keyed by the fields' names of one kind. */
function negotiated<Kind extends 'original' | 'reply' | 'current' | 'agreed'>(
  kind: Kind,
  valueOf: (names: Names) => string | null,
): Pick<PurchaseOrderContent, NegotiatedName<Kind>> {
  const content: Partial<Record<string, string | null>> = {};
  for (const field of NEGOTIATED_FIELDS) content[NEGOTIATED[field][kind]] = valueOf(NEGOTIATED[field]);
  return content as Pick<PurchaseOrderContent, NegotiatedName<Kind>>;
}

/** The detail, with the actions and editable fields of this role. */
export function detailOf(
  row: OrderRow,
  { role, settings, now }: { role: Role; settings: OrderSettings; now: Date },
): PurchaseOrderDetail {
  return {
    ...contentOf(row, now),
    nextDue: nextDueOf(row, role, settings.calendar),
    editableFields: editableFields(row.statusId, role),
    availableActions: availableActions(row.statusId, role, settings.commentRequired),
  };
}

/** The detail with the order's lines, as JSON. */
export function serializeDetail(detail: PurchaseOrderDetail, order: Order): Buffer {
  return Buffer.concat(objectWith(detail, { lineItems: lineItems(order) } satisfies Serialized<PurchaseOrderDetail>));
}

type Serialized<Whole> = { [Member in keyof Whole]?: Buffer[] };

export type EntryRow = Pick<HistoryEntryEntity, (typeof ENTRY_PROPERTIES)[number]>;

/** An entry as the API shows it, without its changes. */
function entryOf(row: EntryRow): Omit<HistoryEntry, 'changes'> {
  return {
    id: row.id,
    poRef: row.poNumber,
    action: row.action,
    fromStatusId: row.fromStatusId,
    toStatusId: row.toStatusId,
    ...entryLabels(row),
    comment: row.comment,
    actorId: row.actorId,
    actorName: row.actorName,
    actorRole: row.actorRole,
    occurredAt: row.occurredAt.toISOString(),
  };
}

/** The columns of an entry, besides its changes. */
export const ENTRY_PROPERTIES = [
  'id',
  'poNumber',
  'action',
  'fromStatusId',
  'toStatusId',
  'comment',
  'actorId',
  'actorName',
  'actorRole',
  'occurredAt',
] as const;

/** An entry as JSON. `changes` is JSON text already; null if there are none or they are omitted. */
export function serializeEntry(
  row: EntryRow,
  changes: string | null,
  omitted: Pick<HistoryEntry, 'commentOmitted' | 'changesOmitted'>,
): string {
  const entry = { ...entryOf(row), ...omitted };
  return `${JSON.stringify(entry).slice(0, -1)},"changes":${changes ?? 'null'}}`;
}

function historyEntryOf(row: Omit<HistoryEntryEntity, 'agreed'>): HistoryEntry {
  return { ...entryOf(row), changes: row.changes };
}

export function activityOf(row: EntryRow & Pick<HistoryEntryEntity, 'vendorCode'>, vendorName: string): Activity {
  const { actorId: _actorId, ...entry } = entryOf(row);
  return { ...entry, poNumber: row.poNumber, vendor: vendorName, vendorCode: row.vendorCode };
}

/** The record of `po.state.v1`, as parts of JSON. The parts of unchanged lines are the same objects as before. */
export function serializeState(order: StoredOrder, row: OrderRow, now: Date): Buffer[] {
  const state: Omit<PurchaseOrderState, 'agreed' | 'cells'> = {
    ...contentOf(row, now),
    poVersion: order.version,
    recentActivity: [...order.recentActivity],
  };
  const rows = { agreed: serializeAgreement(order), cells: serializeStateLines(currentLines(order)) };
  return objectWith(state, rows satisfies Serialized<PurchaseOrderState>);
}

function serializeAgreement(order: StoredOrder): Buffer[] {
  const terms = agreedTermsOf(order);
  if (!terms) return [Buffer.from('null')];
  const lines = serializeAgreedLines(order.lines.filter(isLineAgreed));
  return objectWith(terms, { lines } satisfies Serialized<Agreement>);
}

/** The record of `po.transitions.v1`. */
export function transitionedOf(
  order: StoredOrder,
  { amount, xfDate }: Pick<OrderRow, 'amount' | 'xfDate'>,
  entry: HistoryEntryEntity,
): PurchaseOrderTransitioned {
  return {
    ...historyEntryOf(entry),
    sequence: entry.sequence,
    poVersion: entry.poVersion,
    poNumber: order.poNumber,
    vendorCode: order.vendorCode,
    vendor: order.vendorName,
    buyerEmail: order.terms.buyerEmail,
    amount: Number(amount),
    currency: order.currency,
    xfDate,
    ...(entry.agreed ? { agreed: entry.agreed } : {}),
  };
}

// Most changes leave most lines unchanged. One part for each line would cost more than serializing a few lines again.
const LINES_PER_PART = 16;
const serializeStateLines = inParts(stateLineOf);
const serializeAgreedLines = inParts(agreedLineOf);

/** Serializes an array with one element per line. */
export function inParts(elementOfLine: (line: Line) => object): (lines: readonly Line[]) => Buffer[] {
  const part = memoizeByLines((lines) => elementsOf(lines.map(elementOfLine)));
  return (lines) => {
    const parts: Buffer[] = [];
    for (let first = 0; first < lines.length; first += LINES_PER_PART) {
      parts.push(part(lines.slice(first, first + LINES_PER_PART) as Lines));
    }
    return arrayOf(parts);
  };
}

function stateLineOf(line: Line): PurchaseOrderState['cells'][number] {
  const { lineId, sku, qty, price } = line;
  return {
    lineId,
    ...identityOf(line),
    sku,
    originalQty: qty.original,
    vendorReplyQty: qty.reply,
    qty: currentQty(line),
    originalUnitPrice: moneyToNumber(price.original),
    vendorReplyUnitPrice: price.reply === null ? null : moneyToNumber(price.reply),
    unitPrice: moneyToNumber(currentPrice(line)),
  };
}

const serializeItem = memoizeByLines((lines) => elementsOf([lineItemOf(lines)]));

const lineItems = (order: Order): Buffer[] => arrayOf(linesByItem(order).map(serializeItem));

/** The line items, as JSON. */
export const serializeLineItems = (order: Order): Buffer => Buffer.concat(lineItems(order));

// JSON is joined from parts in bytes, because texts of thousands of lines would be copied repeatedly.
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** Elements of an array, ready to be joined: the JSON of each, followed by a comma. */
export const elementsOf = (values: readonly object[]): Buffer => Buffer.from(`${JSON.stringify(values).slice(1, -1)},`);

export function arrayOf(elements: readonly Buffer[]): Buffer[] {
  const last = elements.at(-1)?.subarray(0, -1);
  return last ? [OPEN, ...elements.slice(0, -1), last, CLOSE] : [OPEN, CLOSE];
}

/** An object with additional members that are JSON already. */
export function objectWith(object: object, members: Readonly<Record<string, readonly Buffer[]>>): Buffer[] {
  const head = JSON.stringify(object).slice(0, -1);
  const parts = Object.entries(members).flatMap(([name, json], index) => {
    const comma = index > 0 || head !== '{' ? ',' : '';
    return [Buffer.from(`${comma}"${name}":`), ...json];
  });
  return [Buffer.from(head), ...parts, Buffer.from('}')];
}
