import type { ListQuery } from '@po/contracts';
import type { Send } from '@po/database';
import { runQuery } from './query.js';
import { searchByIndex } from './search.js';
import {
  type Listing,
  countQuery,
  foundPageQuery,
  pageQuery,
  vendorNamesQuery,
  vendorsPageQuery,
} from './statements.js';
import type { SummaryRow } from './summary.view.js';

/** A page of a list, and the number of orders in the whole list. */
export interface Page {
  rows: SummaryRow[];
  total: number;
}

/** Reads a page of a list. A null `vendorCode` means all vendors. `read` must use one snapshot. */
export async function listOrders(read: Send, query: ListQuery, vendorCode: string | null, now: Date): Promise<Page> {
  const listing = { query, vendorCode, now };
  if (query.search !== undefined) return bySearch(read, listing, query.search);
  return query.sortField === 'vendor' && vendorCode === null ? byVendor(read, listing) : byColumn(read, listing);
}

async function bySearch(read: Send, listing: Listing<ListQuery>, search: string): Promise<Page> {
  searchByIndex(read);
  const rows = await runQuery<(SummaryRow | { id: null }) & { total: string }>(
    read,
    foundPageQuery(listing, search, sliceOf(listing.query)),
  );
  return { rows: rows.filter((row) => row.id !== null), total: Number(rows[0]?.total) };
}

async function byColumn(read: Send, listing: Listing<ListQuery>): Promise<Page> {
  const slice = sliceOf(listing.query);
  const rowsWith = (total: number | null) => runQuery<SummaryRow>(read, pageQuery(listing, slice, total));
  const first = slice.offset === 0 ? await rowsWith(null) : null;
  // A first page that is not full is the whole list, and counting would read the same rows again.
  if (first && first.length < slice.limit) return { rows: first, total: first.length };
  const total = await countOf(read, listing);
  if (first) return { rows: first, total };
  return { rows: slice.offset < total ? await rowsWith(total) : [], total };
}

/** An order's row lacks the vendor's name, so the orders of each name are counted first, then only the vendors of the page are read. */
async function byVendor(read: Send, listing: Listing<ListQuery>): Promise<Page> {
  const { offset, limit } = sliceOf(listing.query);
  const names = await runQuery<{ codes: string[]; orders: string }>(read, vendorNamesQuery(listing));
  const codes: string[] = [];
  let total = 0;
  let before = 0;
  for (const { codes: own, orders } of names) {
    const end = total + Number(orders);
    if (end <= offset) before = end;
    else if (total < offset + limit) codes.push(...own);
    total = end;
  }
  if (codes.length === 0) return { rows: [], total };
  return { rows: await runQuery(read, vendorsPageQuery(listing, codes, { offset: offset - before, limit })), total };
}

/** The number of orders in a list. */
export async function countOf(read: Send, listing: Listing): Promise<number> {
  const [counted] = await runQuery<{ total: string }>(read, countQuery(listing));
  return Number(counted?.total);
}

const sliceOf = ({ page, limit }: ListQuery) => ({ offset: (page - 1) * limit, limit });
