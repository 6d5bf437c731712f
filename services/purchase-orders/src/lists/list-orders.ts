import type { ListQuery, ListSelection } from '@po/contracts';
import type { Send } from '@po/database';
import { isFiltered } from './conditions.js';
import { ask } from './question.js';
import { searchFor } from './search.js';
import { type Listing, countQuestion, pageQuestion, vendorNamesQuestion, vendorsPageQuestion } from './statements.js';
import type { SummaryRow } from './summary.view.js';

/** A page of a list, and how many orders the whole list has. */
export interface Page {
  rows: SummaryRow[];
  total: number;
}

/** Orders of a filter up to which each is looked at for a term that many have. */
const CHECKED_ORDERS = 10_000;

/** Reads a list's page within a vendor's scope, or of all vendors for null; what `read` reads must be of one snapshot. */
export async function listOrders(read: Send, query: ListQuery, vendorCode: string | null, now: Date): Promise<Page> {
  const listing = await listingOf(read, query, vendorCode, now);
  return query.sortField === 'vendor' && vendorCode === null ? byVendor(read, listing) : byColumn(read, listing);
}

/** What a list asks, once it is decided how to search. */
export async function listingOf<Query extends ListSelection>(
  read: Send,
  query: Query,
  vendorCode: string | null,
  now: Date,
): Promise<Listing<Query>> {
  const unsearched = { query, vendorCode, now, search: null };
  return query.search === undefined ? unsearched : searched(read, unsearched, query.search);
}

async function searched<Query extends ListSelection>(
  read: Send,
  unsearched: Listing<Query>,
  text: string,
): Promise<Listing<Query>> {
  const filtered = isFiltered(unsearched.query);
  const search = await searchFor(read, text, { vendorCode: unsearched.vendorCode, isFiltered: filtered });
  if (search.form !== 'hashed' || !filtered) return { ...unsearched, search };
  // Few enough are looked at each in less time than all are collected that have the term.
  const orders = await countOf(read, unsearched);
  return { ...unsearched, search: orders > CHECKED_ORDERS ? search : { ...search, form: 'checked' } };
}

async function byColumn(read: Send, listing: Listing<ListQuery>): Promise<Page> {
  const slice = sliceOf(listing.query);
  const rowsWith = (total: number | null) => ask<SummaryRow>(read, pageQuestion(listing, slice, total));
  // Of a search it must be known how much was found to read a page well.
  const first = slice.offset === 0 && listing.search === null ? await rowsWith(null) : null;
  // A first page that is not full is all there is: counting would read the same rows again.
  if (first && first.length < slice.limit) return { rows: first, total: first.length };
  const total = foundIn(listing) ?? (await countOf(read, listing));
  if (first) return { rows: first, total };
  return { rows: slice.offset < total ? await rowsWith(total) : [], total };
}

/** An order's row does not have its vendor's name: what each name has is counted, and then only those of the page are read. */
async function byVendor(read: Send, listing: Listing<ListQuery>): Promise<Page> {
  const { offset, limit } = sliceOf(listing.query);
  const names = await ask<{ codes: string[]; orders: string }>(read, vendorNamesQuestion(listing));
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
  return { rows: await ask(read, vendorsPageQuestion(listing, codes, { offset: offset - before, limit })), total };
}

/** How many orders the list has, where its search has counted them. */
function foundIn({ query, search }: Listing): number | null {
  if (search?.form !== 'listed') return search?.found ?? null;
  return isFiltered(query) ? null : search.orders.length;
}

/** How many orders a list has. */
export async function countOf(read: Send, listing: Listing): Promise<number> {
  const [counted] = await ask<{ total: string }>(read, countQuestion(listing));
  return Number(counted?.total);
}

const sliceOf = ({ page, limit }: ListQuery) => ({ offset: (page - 1) * limit, limit });
