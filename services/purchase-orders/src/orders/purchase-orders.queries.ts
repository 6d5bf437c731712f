import { Injectable } from '@nestjs/common';
import {
  type DetailQuery,
  type HistoryEntry,
  type LineItem,
  type ListQuery,
  type OrderQuery,
  ProblemError,
  type PurchaseOrderDetail,
  type PurchaseOrderList,
} from '@po/contracts';
import { type Send, selectList } from '@po/database';
import { EncodedJson, type Reply, type RpcContext, notModified, ok } from '@po/messaging';
import { linkHeader } from '../lists/link-header.js';
import { listOrders } from '../lists/list-orders.js';
import { summaryOf } from '../lists/summary.view.js';
import type { CellEntity } from '../store/cell.entity.js';
import { CommentRules } from './comment-rules.js';
import { type Access, Databases } from '../store/databases.js';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { SELECT_CELLS, SELECT_ORDER } from '../store/load-order.js';
import { type OrderRow, orderOf } from '../store/order-rows.js';
import { ENTRY_PROPERTIES, detailOf, writtenEntry } from './purchase-order.view.js';
import type { ActivityRow } from '../store/stored-order.js';
import { scoped } from '../store/scoped-statement.js';
import { lineItems } from '../domain/values.js';
import { etagOf, hasVersion } from './entity-tag.js';

const ENTRIES = selectList(HistoryEntryEntity, 'h', ENTRY_PROPERTIES);
const FRESH = { 'cache-control': 'private, no-cache' } as const;
/** Of what is stored of one order's changes, compressed: an answer of more is taken by no record, and would fill the memory. */
const HISTORY_BYTES = 16 * 1024 * 1024;
// Changes as they were written: parsed, those of thousands of cells take several times as much memory.
const HISTORY = {
  name: 'history',
  text: `SELECT ${ENTRIES}, bytes, CASE WHEN bytes <= ${HISTORY_BYTES} THEN h.changes::text END AS changes
           FROM (SELECT *, sum(pg_column_size(changes)) OVER () AS bytes FROM history WHERE order_id = $1) h
          ORDER BY h.sequence DESC`,
};

/** Reads of orders, each in the caller's scope. */
@Injectable()
export class PurchaseOrdersQueries {
  constructor(
    private readonly databases: Databases,
    private readonly rules: CommentRules,
  ) {}

  async list(query: ListQuery, context: RpcContext): Promise<Reply<PurchaseOrderList>> {
    const { database, scope, vendorCode } = this.databases.accessOf(context.actor);
    const now = new Date();
    const { limit, page } = query;
    const { rows, total } = await database.readAll(scope, (read) => listOrders(read, query, vendorCode, now));
    const totalPages = Math.ceil(total / limit);
    return ok(
      { data: rows.map((row) => summaryOf(row, now)), pagination: { total, page, limit, totalPages } },
      { link: linkHeader(context.path, query, totalPages), 'x-total-count': String(total) },
    );
  }

  async detail({ poRef, includeLineItems }: DetailQuery, context: RpcContext): Promise<Reply<PurchaseOrderDetail>> {
    const access = this.databases.accessOf(context.actor);
    const { row, cells } = includeLineItems
      ? await this.orderWithCells(access, poRef)
      : { row: await this.order(access, poRef), cells: null };
    const headers = { etag: etagOf(row.version), ...FRESH };
    if (hasVersion(context.ifNoneMatch, row.version)) return notModified(headers);
    const detail = detailOf(row, context.actor.role, this.rules.commentRequired, new Date());
    return ok(cells ? { ...detail, lineItems: lineItems(orderOf(row, cells, [])) } : detail, headers);
  }

  async lineItems({ poRef }: OrderQuery, context: RpcContext): Promise<Reply<LineItem[]>> {
    const { row, cells } = await this.orderWithCells(this.databases.accessOf(context.actor), poRef);
    const headers = { etag: etagOf(row.version), ...FRESH };
    return hasVersion(context.ifNoneMatch, row.version)
      ? notModified(headers)
      : ok(lineItems(orderOf(row, cells, [])), headers);
  }

  async history({ poRef }: OrderQuery, context: RpcContext): Promise<Reply<HistoryEntry[]>> {
    const access = this.databases.accessOf(context.actor);
    const entries = await access.database.readAll(access.scope, async (read) => {
      const { id } = await findOrder(read, access, poRef);
      return read<ActivityRow & { changes: string | null; bytes: string | null }>(HISTORY, [id]);
    });
    if (Number(entries[0]?.bytes) > HISTORY_BYTES) throw new RangeError('the history is more than an answer may be');
    const body = new EncodedJson(`[${entries.map((entry) => writtenEntry(entry, entry.changes)).join()}]`);
    return { status: 200, headers: {}, body };
  }

  private async order(access: Access, poRef: string): Promise<OrderRow> {
    return findOrder((statement, values) => access.database.read(access.scope, statement, values), access, poRef);
  }

  private orderWithCells(access: Access, poRef: string): Promise<{ row: OrderRow; cells: CellEntity[] }> {
    return access.database.readAll(access.scope, async (read) => {
      const row = await findOrder(read, access, poRef);
      return { row, cells: await read<CellEntity>({ name: 'cells', text: SELECT_CELLS }, [row.id]) };
    });
  }
}

async function findOrder(read: Send, access: Access, poRef: string): Promise<OrderRow> {
  const { statement, values } = scoped(
    access,
    'order',
    [poRef],
    (own) => `${SELECT_ORDER} WHERE o.po_number = $1 AND ${own('o.vendor_code')}`,
  );
  const [row] = await read<OrderRow>(statement, values);
  if (!row) throw new ProblemError('PO_NOT_FOUND');
  return row;
}
