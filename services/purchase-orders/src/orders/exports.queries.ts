import { Injectable } from '@nestjs/common';
import {
  type ExportPage,
  type ExportPlan,
  type ExportQuery,
  type ExportedLine,
  type ExportedLines,
  MAX_EXPORT_ROWS,
  type PurchaseOrderSummary,
  statusOf,
} from '@po/contracts';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { moneyToNumber } from '../domain/money.js';
import type { Line } from '../domain/order.js';
import { currentPrice, currentQty, identityOf, isLineAgreed, linesByItem } from '../domain/values.js';
import { resolveMe } from '../lists/conditions.js';
import { planExport } from '../lists/export-plan.js';
import { SUMMARY_COLUMNS } from '../lists/statements.js';
import { type SummaryRow, summaryFor } from '../lists/summary.view.js';
import { Databases, type Read } from '../store/databases.js';
import { OrderSettings } from './order-settings.js';
import { linesByOrder } from '../store/load-order.js';

/**
 * Reads the content of an export file: first the plan, then page by page. Each page has the stored data at the time of its request; which
 * orders the file contains, and in which sequence, is decided once by the plan.
 */
@Injectable()
export class ExportsQueries {
  constructor(
    private readonly databases: Databases,
    private readonly settings: OrderSettings,
  ) {}

  async plan(query: ExportQuery, { actor }: RpcContext): Promise<Reply<ExportPlan>> {
    const access = this.databases.accessOf(actor);
    const now = new Date();
    const scopedQuery = resolveMe(query, actor);
    return ok(await access.readAll((_read, send) => planExport(send, scopedQuery, access, now, MAX_EXPORT_ROWS)));
  }

  async orders({ orders: ids }: ExportPage, { actor }: RpcContext): Promise<Reply<PurchaseOrderSummary[]>> {
    const access = this.databases.accessOf(actor);
    const now = new Date();
    const rows = await access.readAll((read) => summaryRows(read, ids));
    return ok(rows.map((row) => summaryFor(row, actor.role, this.settings.calendar, now)));
  }

  async lines({ orders: ids }: ExportPage, { actor }: RpcContext): Promise<Reply<ExportedLines[]>> {
    const access = this.databases.accessOf(actor);
    const [rows, lines] = await access.readAll((read, send) =>
      Promise.all([summaryRows(read, ids), linesByOrder(send, ids)]),
    );
    return ok(rows.map((row) => exportedLinesOf(row, lines(row.id))));
  }
}

/** The orders with these ids that the caller may see, in the sequence of the ids. */
function summaryRows(read: Read, ids: readonly number[]): Promise<SummaryRow[]> {
  return read<SummaryRow>(
    'exported-orders',
    [ids],
    (own) => `SELECT ${SUMMARY_COLUMNS} FROM unnest($1::integer[]) WITH ORDINALITY AS asked(id, place)
        JOIN purchase_orders o ON o.id = asked.id JOIN vendors v ON v.code = o.vendor_code
       WHERE ${own('o.vendor_code')} ORDER BY asked.place`,
  );
}

function exportedLinesOf({ poNumber, statusId, vendorName }: SummaryRow, lines: readonly Line[]): ExportedLines {
  const { status, statusZh } = statusOf(statusId);
  return { poNumber, status, statusZh, vendor: vendorName, lines: linesByItem({ lines }).flat().map(exportedLineOf) };
}

function exportedLineOf(line: Line): ExportedLine {
  const { lineId, qty, price } = line;
  return {
    ...identityOf(line),
    lineId,
    originalQty: qty.original,
    vendorReplyQty: qty.reply,
    agreedQty: qty.agreed,
    qty: currentQty(line),
    originalUnitPrice: moneyToNumber(price.original),
    vendorReplyUnitPrice: price.reply === null ? null : moneyToNumber(price.reply),
    agreedUnitPrice: isLineAgreed(line) && price.agreed !== null ? moneyToNumber(price.agreed) : null,
    unitPrice: moneyToNumber(currentPrice(line)),
  };
}
