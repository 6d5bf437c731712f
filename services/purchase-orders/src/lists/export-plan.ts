import { type ExportPlan, type ExportQuery, ProblemError } from '@po/contracts';
import type { Send } from '@po/database';
import type { Access, Read } from '../store/databases.js';
import { countOf } from './list-orders.js';
import { runQuery } from './query.js';
import { searchByIndex } from './search.js';
import { type Listing, rowCountQuery, idsQuery } from './statements.js';

/** Rows per page; an order is never split. Processing a page blocks all other requests of the process, so a page must be small. */
const PAGE_ROWS = 500;
/** For a file that is too large, the lines of its orders are counted only up to this number. */
const MAX_COUNTED_ROWS = 1_000_000;

interface Sized {
  id: number;
  rows: number;
}

/**
 * The orders of a file in the caller's scope, in the requested sequence, split into pages. `send` must use one snapshot. Throws
 * EXPORT_TOO_LARGE with the number of rows if the file would have more than `limit`.
 */
export async function planExport(
  send: Send,
  query: ExportQuery,
  access: Access,
  now: Date,
  limit: number,
): Promise<ExportPlan> {
  const listing = { query, vendorCode: access.vendorCode, now };
  if (query.search !== undefined) searchByIndex(send);
  const orders = (await runQuery<{ id: number }>(send, idsQuery(listing, limit + 1))).map(({ id }) => ({
    id,
    rows: 1,
  }));
  if (query.level === 'orders') {
    if (orders.length > limit) throw tooLarge(await countOf(send, listing), limit);
    return planOf(orders);
  }
  const sized = orders.length > limit ? null : await sizedOrders(access.reading(send), orders, limit);
  if (!sized) throw tooLarge(await rowsOf(send, listing), limit);
  return planOf(sized);
}

/** The orders with their numbers of lines; null if there are more than `limit` lines in total. */
async function sizedOrders(read: Read, orders: readonly Sized[], limit: number): Promise<Sized[] | null> {
  const rows = await read<Sized>(
    'rows-per-order',
    [orders.map(({ id }) => id), limit + 1],
    (own) => `SELECT order_id AS id, sum(row_count)::integer AS rows FROM (
        SELECT l.order_id, l.row_count FROM line_items l
         WHERE l.order_id = ANY ($1::integer[]) AND l.row_count > 0 AND ${own('l.vendor_code')} LIMIT $2
      ) AS counted GROUP BY order_id`,
  );
  const counted = new Map(rows.map((row) => [row.id, row.rows]));
  const sized = orders.map(({ id }) => ({ id, rows: counted.get(id) ?? 0 }));
  return sized.reduce((sum, { rows }) => sum + rows, 0) > limit ? null : sized.filter(({ rows }) => rows > 0);
}

async function rowsOf(send: Send, listing: Listing): Promise<number> {
  const [counted] = await runQuery<{ total: string }>(send, rowCountQuery(listing, MAX_COUNTED_ROWS));
  return Number(counted?.total);
}

const tooLarge = (rows: number, limit: number) => new ProblemError('EXPORT_TOO_LARGE', { rows, limit });

const planOf = (orders: readonly Sized[]): ExportPlan => ({
  pages: pagesOf(orders),
  rows: orders.reduce((sum, { rows }) => sum + rows, 0),
});

function pagesOf(orders: readonly Sized[]): number[][] {
  const pages: number[][] = [];
  let room = 0;
  for (const { id, rows } of orders) {
    if (rows > room) {
      pages.push([]);
      room = PAGE_ROWS;
    }
    pages.at(-1)?.push(id);
    room -= rows;
  }
  return pages;
}
