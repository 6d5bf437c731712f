import { type Send, type Statement, selectList } from '@po/database';
import { LRUCache } from 'lru-cache';
import { LineItemEntity } from './line-item.entity.js';
import { type LineItemRow, linesOf } from './line-items.js';
import { OrderEntity } from './order.entity.js';
import { type LockedRow, type OrderRow, type ReadableOrder, orderOf, stampOf } from './order-rows.js';
import type { Stamp, StoredOrder } from './stored-order.js';
import type { Line } from '../domain/order.js';

const selectOrder = (columns: string) =>
  `SELECT ${columns}, v.name AS "vendorName"
  FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code`;
const COLUMNS = selectList(OrderEntity, 'o');

/** Selects orders with their vendor's name, as `OrderRow`; append a WHERE clause. */
export const SELECT_ORDER = selectOrder(COLUMNS);
const COLUMNS_TO_CHANGE = `${COLUMNS}, ${selectList(OrderEntity, 'o', ['recentActivity'])}`;

const READ = ['orderId', 'code', 'style', 'color', 'source', 'negotiated'] as const;
const LINE_ITEMS = `SELECT ${selectList(LineItemEntity, 'l', READ)} FROM line_items l WHERE l.order_id`;

/** All line items of the order $1, as `LineItemRow`. */
const SELECT_LINE_ITEMS: Statement = { name: 'line-items', text: `${LINE_ITEMS} = $1` };

// Selects nothing while the order's row has the stamp of the cached order.
const CHANGED_ID = `(SELECT id FROM purchase_orders WHERE po_number = $1 AND ROW(version, source_revision, updated_at, last_synced_at)
  IS DISTINCT FROM ROW($2::integer, $3::bigint, $4::timestamptz, $5::timestamptz))`;
// A command whose idempotency key is in use must be refused immediately, not only after the other command releases the order.
const LOCK_ORDER = `SELECT ${COLUMNS_TO_CHANGE} FROM purchase_orders o
  WHERE o.po_number = $1 AND current_setting('app.key_claimed', true) IS DISTINCT FROM 'false' FOR UPDATE`;
const SELECT_CHANGED_LINE_ITEMS = `${LINE_ITEMS} = ${CHANGED_ID}`;
const VENDOR_NAME: Statement = {
  name: 'vendor-name-of-order',
  text: `SELECT v.name AS "vendorName" FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code WHERE o.po_number = $1`,
};
// Sorted as locks.ts says.
const LOCK_ORDERS: Statement = {
  name: 'lock-orders',
  text: `${selectOrder(COLUMNS_TO_CHANGE)} WHERE o.id = ANY ($1::integer[]) ORDER BY o.id FOR UPDATE OF o`,
};
const SELECT_LINE_ITEMS_OF_ORDERS: Statement = {
  name: 'line-items-of-orders',
  text: `${LINE_ITEMS} = ANY ($1::integer[])`,
};

/** Lines of an order; current while its row has this stamp. */
interface CachedLines {
  stamp: Stamp;
  /** In source order, including removed lines. */
  lines: readonly Line[];
}

const UNKNOWN: { [Part in keyof Stamp]: null } = {
  version: null,
  sourceRevision: null,
  updatedAt: null,
  lastSyncedAt: null,
};

/** Maximum lines of all cached orders together; a line takes about 1.5 KB. */
const MAX_LINES = 20_000;

/**
 * Loads orders. Caches the lines of those that this process read or wrote last, because a user who edits an order of thousands of lines
 * requests it repeatedly. Each use compares their stamp with the order's row, read in its own transaction.
 */
export class OrderStore {
  // lru-cache requires a positive size.
  private readonly cached = new LRUCache<string, CachedLines>({
    maxSize: MAX_LINES,
    sizeCalculation: ({ lines }) => lines.length + 1,
  });

  /**
   * Loads an order and locks its row until the transaction ends, so that other changes wait and then see the result. Null if it is unknown,
   * not in the transaction's scope, or of another vendor than `vendorCode`; null allows all. Row-level security already hides the orders of
   * other vendors; that check remains if a scope was forgotten there. Call it before the transaction changes the order.
   */
  async lock(send: Send, poNumber: string, vendorCode: string | null): Promise<StoredOrder | null> {
    // Looked up once: another request may replace it before the answers arrive, and the answers lack its lines.
    const cached = this.cached.get(poNumber);
    const { version, sourceRevision, updatedAt, lastSyncedAt } = cached?.stamp ?? UNKNOWN;
    const [[locked], lineItems, [vendor]] = await Promise.all([
      send<Omit<LockedRow, 'vendorName'>>(LOCK_ORDER, [poNumber]),
      // Separate statements: the one that waits for the lock sees only the locked row as it is after the wait.
      send<LineItemRow>(SELECT_CHANGED_LINE_ITEMS, [poNumber, version, sourceRevision, updatedAt, lastSyncedAt]),
      send<Pick<LockedRow, 'vendorName'>>(VENDOR_NAME, [poNumber]),
    ]);
    if (!locked || !vendor || (vendorCode !== null && locked.vendorCode !== vendorCode)) return null;
    const row = { ...locked, ...vendor };
    const order = orderOf(row, currentLines(cached, row) ?? linesOf(lineItems));
    this.remember(order);
    return { ...order, recentActivity: row.recentActivity };
  }

  /** The order of a row that was read on the same snapshot. */
  async read(send: Send, row: OrderRow): Promise<ReadableOrder> {
    const lines = currentLines(this.cached.get(row.poNumber), row);
    const order = orderOf(row, lines ?? linesOf(await send<LineItemRow>(SELECT_LINE_ITEMS, [row.id])));
    this.remember(order);
    return order;
  }

  /** Caches the lines of an order whose state is committed. */
  remember({ poNumber, version, sourceRevision, updatedAt, lastSyncedAt, lines }: ReadableOrder): void {
    this.cached.set(poNumber, { stamp: { version, sourceRevision, updatedAt, lastSyncedAt }, lines });
  }
}

/** The cached lines, if the row has their stamp; else null. */
function currentLines(cached: CachedLines | undefined, row: OrderRow): readonly Line[] | null {
  if (!cached) return null;
  const { stamp, lines } = cached;
  const found = stampOf(row);
  const isCurrent =
    stamp.version === found.version &&
    stamp.sourceRevision === found.sourceRevision &&
    stamp.updatedAt === found.updatedAt &&
    stamp.lastSyncedAt === found.lastSyncedAt;
  return isCurrent ? lines : null;
}

/** The orders with these ids, by id, locked as by `OrderStore.lock`; unknown ids are left out. */
export async function loadOrders(send: Send, ids: readonly number[]): Promise<Map<number, StoredOrder>> {
  if (ids.length === 0) return new Map();
  const [rows, lines] = await Promise.all([send<LockedRow>(LOCK_ORDERS, [ids]), linesByOrder(send, ids)]);
  return new Map(
    rows.map((row) => {
      const order = orderOf(row, lines(row.id));
      return [row.id, { ...order, recentActivity: row.recentActivity }];
    }),
  );
}

/** The lines of each of these orders, in source order, including removed ones. */
export async function linesByOrder(read: Send, ids: readonly number[]): Promise<(id: number) => Line[]> {
  const rows = await read<LineItemRow>(SELECT_LINE_ITEMS_OF_ORDERS, [ids]);
  const lineItems = Map.groupBy(rows, ({ orderId }) => orderId);
  return (id) => linesOf(lineItems.get(id) ?? []);
}
