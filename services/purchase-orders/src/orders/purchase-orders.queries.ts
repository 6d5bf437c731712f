import { Injectable } from '@nestjs/common';
import {
  type DetailQuery,
  type HistoryEntry,
  type ImportChange,
  type ImportChecked,
  type ImportError,
  type ImportResult,
  type LineItem,
  type ListQuery,
  type OrderQuery,
  type PreviewImport,
  ProblemError,
  type PurchaseOrderDetail,
  type PurchaseOrderDiff,
  type PurchaseOrderList,
} from '@po/contracts';
import { selectList } from '@po/database';
import { type Reply, type RpcContext, etagOf, notModified, ok, okSerialized, stalenessOf } from '@po/messaging';
import { decide } from '../domain/commands.js';
import { InvalidImport, repliesChanged } from '../domain/imports/import-lines.js';
import { resolveMe } from '../lists/conditions.js';
import { linkHeader } from '../lists/link-header.js';
import { listOrders } from '../lists/list-orders.js';
import { summaryFor } from '../lists/summary.view.js';
import { diffOf } from '../domain/diff.js';
import type { Order } from '../domain/order.js';
import { canEverEdit } from '../domain/workflow.js';
import { Databases, type Access, type Read } from '../store/databases.js';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { SELECT_ORDER } from '../store/load-order.js';
import type { OrderRow } from '../store/order-rows.js';
import {
  ENTRY_PROPERTIES,
  type EntryRow,
  detailOf,
  serializeDetail,
  serializeEntry,
  serializeLineItems,
} from './purchase-order.view.js';
import { OrderSettings } from './order-settings.js';
import { hasVersion } from './if-none-match.js';

const ENTRIES = selectList(
  HistoryEntryEntity,
  'h',
  ENTRY_PROPERTIES.filter((name) => name !== 'comment'),
);
const FRESH = { 'cache-control': 'private, no-cache' } as const;
/** Maximum bytes of an order's comments and stored changes in a response, the latter as compressed by PostgreSQL; a record holds few more. */
const HISTORY_BYTES = 4 * 1024 * 1024;
/** Maximum bytes of an answer that is made without reserving memory. */
const SMALL_BYTES = 64 * 1024;
/** Bytes of the response per stored byte. */
const EXPANSION = 5;
/** Bytes of a line in a diff or a preview. */
const LINE_BYTES = 400;
// Reads changes as text: when parsed, changes of thousands of lines take several times as much memory.
const HISTORY = {
  name: 'history',
  text: `SELECT ${ENTRIES}, bytes::float8, bytes > $2 AS "isLarge", h.comment IS NOT NULL AS "hasComment",
                h.changes IS NOT NULL AS "hasChanges", CASE WHEN bytes <= $2 THEN h.comment END AS comment,
                CASE WHEN bytes <= $2 THEN h.changes::text END AS changes
           FROM (SELECT *, sum(coalesce(octet_length(comment), 0) + coalesce(pg_column_size(changes), 0))
                             OVER (ORDER BY sequence DESC) AS bytes FROM history WHERE order_id = $1) h
          ORDER BY h.sequence DESC`,
};
interface HistoryRow extends EntryRow {
  /** Sum over the comments and changes from the newest entry to this one. */
  bytes: number;
  changes: string | null;
  /** Its comment and changes are omitted. */
  isLarge: boolean;
  hasComment: boolean;
  hasChanges: boolean;
}

/** Reads of orders, each in the caller's scope. */
@Injectable()
export class PurchaseOrdersQueries {
  constructor(
    private readonly databases: Databases,
    private readonly settings: OrderSettings,
  ) {}

  async list(query: ListQuery, context: RpcContext): Promise<Reply<PurchaseOrderList>> {
    const access = this.databases.accessOf(context.actor);
    const now = new Date();
    const scopedQuery = resolveMe(query, context.actor);
    const { limit, page } = query;
    const { rows, total } = await access.readAll((_read, send) =>
      listOrders(send, scopedQuery, access.vendorCode, now),
    );
    const totalPages = Math.ceil(total / limit);
    const link = linkHeader(context.path, query, totalPages);
    return ok(
      {
        data: rows.map((row) => summaryFor(row, context.actor.role, this.settings.calendar, now)),
        pagination: { total, page, limit, totalPages },
      },
      { ...(link === '' ? {} : { link }), 'x-total-count': String(total) },
    );
  }

  async detail({ poRef, includeLineItems }: DetailQuery, context: RpcContext): Promise<Reply<PurchaseOrderDetail>> {
    const access = this.databases.accessOf(context.actor);
    const isKnown = isKnownTo(context);
    const { row, order } = includeLineItems
      ? await this.wholeOrder(access, poRef, isKnown)
      : { row: await findOrder(access.read, poRef), order: null };
    const headers = { etag: etagOf(row.version), ...FRESH };
    if (isKnown(row)) return notModified(headers);
    const { settings } = this;
    const detail = detailOf(row, { role: context.actor.role, settings, now: new Date() });
    return order ? okSerialized(serializeDetail(detail, order), headers) : ok(detail, headers);
  }

  async lineItems({ poRef }: OrderQuery, context: RpcContext): Promise<Reply<LineItem[]>> {
    const access = this.databases.accessOf(context.actor);
    const { row, order } = await this.wholeOrder(access, poRef, isKnownTo(context));
    const headers = { etag: etagOf(row.version), ...FRESH };
    return order ? okSerialized(serializeLineItems(order), headers) : notModified(headers);
  }

  async diff({ poRef }: OrderQuery, context: RpcContext): Promise<Reply<PurchaseOrderDiff>> {
    const access = this.databases.accessOf(context.actor);
    const { row, order } = await this.wholeOrder(access, poRef, isKnownTo(context));
    const headers = { etag: etagOf(row.version), ...FRESH };
    await reserveForLines(order, context);
    return order ? ok(diffOf(order), headers) : notModified(headers);
  }

  /** All history entries. If their comments and changes are too large for a response, those of the oldest entries are omitted. */
  async history({ poRef }: OrderQuery, context: RpcContext): Promise<Reply<HistoryEntry[]>> {
    const access = this.databases.accessOf(context.actor);
    const upTo = (bytes: number) =>
      access.readAll(async (read, send) => {
        const { id } = await findOrder(read, poRef);
        return send<HistoryRow>(HISTORY, [id, bytes]);
      });
    let entries = await upTo(SMALL_BYTES);
    const bytes = entries.at(-1)?.bytes ?? 0;
    if (bytes > SMALL_BYTES) {
      await context.reserve(EXPANSION * Math.min(bytes, HISTORY_BYTES));
      entries = await upTo(HISTORY_BYTES);
    }
    const serialized = entries.map(({ isLarge, hasComment, hasChanges, ...entry }) =>
      serializeEntry(entry, entry.changes, {
        ...(isLarge && hasComment && { commentOmitted: true }),
        ...(isLarge && hasChanges && { changesOmitted: true }),
      }),
    );
    return okSerialized(`[${serialized.join()}]`);
  }

  /**
   * Refuses callers who can never import into this order, before the file is received. The import itself checks version and
   * status, because an idempotency key may replay an import from before these changed.
   */
  async checkImport({ poRef }: OrderQuery, { actor }: RpcContext): Promise<Reply<ImportChecked>> {
    await findOrder(this.databases.accessOf(actor).read, poRef);
    if (!canEverEdit(actor.role)) throw new ProblemError('ROLE_NOT_ALLOWED');
    return ok({ success: true });
  }

  /** The result that an import would have. Refused for the same reasons as the import, except that errors in the file are returned. */
  async previewImport({ poRef, table }: PreviewImport, context: RpcContext): Promise<Reply<ImportResult>> {
    const { actor, ifMatch } = context;
    const { row, order } = await this.wholeOrder(this.databases.accessOf(actor), poRef, () => false);
    await reserveForLines(order, context);
    const commandContext = {
      role: actor.role,
      commentRequired: this.settings.commentRequired,
      now: new Date(),
      staleness: stalenessOf(ifMatch, row.version),
    };
    const preview = (changes: ImportChange[], errors: ImportError[]) =>
      ok({ applied: false, rows: table.rows.length, changes, errors }, { etag: etagOf(row.version) });
    try {
      const { before, after } = decide(order, { type: 'importLines', table }, commandContext);
      return preview(repliesChanged(before, after), []);
    } catch (error) {
      if (!(error instanceof InvalidImport)) throw error;
      return preview([], error.errors);
    }
  }

  /** The row and the order; the order is null if the caller already knows it. */
  private wholeOrder(access: Access, poRef: string, isKnown: (row: OrderRow) => boolean) {
    return access.readAll(async (read, send) => {
      const row = await findOrder(read, poRef);
      return { row, order: isKnown(row) ? null : await this.databases.orders.read(send, row) };
    });
  }
}

async function reserveForLines(order: Order | null, context: RpcContext): Promise<void> {
  const bytes = LINE_BYTES * (order?.lines.length ?? 0);
  if (bytes > SMALL_BYTES) await context.reserve(bytes);
}

/** Whether the caller already has this version of an order. */
const isKnownTo =
  ({ ifNoneMatch }: RpcContext) =>
  ({ version }: OrderRow): boolean =>
    hasVersion(ifNoneMatch, version);

async function findOrder(read: Read, poRef: string): Promise<OrderRow> {
  const [row] = await read<OrderRow>(
    'order',
    [poRef],
    (own) => `${SELECT_ORDER} WHERE o.po_number = $1 AND ${own('o.vendor_code')}`,
  );
  if (!row) throw new ProblemError('PO_NOT_FOUND');
  return row;
}
