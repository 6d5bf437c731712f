import type { ListSelection, SortField } from '@po/contracts';
import { selectList } from '@po/database';
import { OrderEntity } from '../store/order.entity.js';
import { conditionsOf, isFiltered } from './conditions.js';
import { type Bind, type Question, question } from './question.js';
import { type Search, countChecked, isFound } from './search.js';
import { SUMMARY_PROPERTIES } from './summary.view.js';

/** What one list asks. */
export interface Listing<Query extends ListSelection = ListSelection> {
  query: Query;
  /** The vendor whose orders are seen, or null for all. */
  vendorCode: string | null;
  now: Date;
  /** Null where nothing is searched for. */
  search: Search | null;
}

/** Some rows of the order asked for: `limit` of them after the first `offset`. */
export interface Slice {
  offset: number;
  limit: number;
}

const SORT_COLUMNS = {
  id: 'o.id',
  poDate: 'o.po_date',
  xfDate: 'o.xf_date',
  // Ids ascend in the workflow's order.
  status: 'o.status_id',
  amount: 'o.amount',
} as const satisfies Partial<Record<SortField, string>>;

const COLUMNS = `${selectList(OrderEntity, 'o', SUMMARY_PROPERTIES)}, v.name AS "vendorName"`;
/** Of a list of more than so many orders, the first and last so many are found by looking at each order. */
const MANY_ORDERS = 5_000;
const SHALLOW = 500;
const REVERSED = { asc: 'desc', desc: 'asc' } as const;
type Direction = keyof typeof REVERSED;

const sortingOf = ({
  query: { sortField, sortDir },
}: Pick<Listing, 'query'>): {
  sortField: SortField;
  sortDir: Direction;
} => ({
  sortField: sortField ?? 'id',
  sortDir: sortDir ?? (sortField ? 'asc' : 'desc'),
});

const orderedBy = (column: string, direction: Direction): string =>
  column === SORT_COLUMNS.id ? `o.id ${direction}` : `${column} ${direction}, o.id ${direction}`;

/** How many orders the list has: one row `{ total }`. */
export function countQuestion(listing: Listing): Question {
  const { query, vendorCode, search } = listing;
  return question((bind) => {
    // Where nothing else is asked, the orders themselves need not be looked at.
    if (search?.form === 'checked' && !isFiltered(query)) return countChecked(search.term, vendorCode, bind);
    const { from, conditions } = sourceOf(listing, bind);
    return `SELECT count(*) AS total FROM ${from} ${where(conditions)}`;
  });
}

/** The summaries of a slice, as `SummaryRow`; `total` is null where nobody counted. */
export function pageQuestion(listing: Listing, slice: Slice, total: number | null): Question {
  const { sortField, sortDir } = sortingOf(listing);
  // The orders of one vendor all have the same name.
  const column = SORT_COLUMNS[sortField === 'vendor' ? 'id' : sortField];
  const order = (direction: Direction) => orderedBy(column, direction);
  // What lies behind the middle is nearer from the other end.
  const behind = total === null ? -1 : total - slice.offset - slice.limit;
  const fromTheEnd = total !== null && behind < slice.offset;
  const [skipped, taken] = fromTheEnd
    ? [Math.max(behind, 0), slice.limit + Math.min(behind, 0)]
    : [slice.offset, slice.limit];
  const search = searchOfPage(listing.search, total, skipped + taken);
  return question((bind) => {
    const { from, conditions } = sourceOf({ ...listing, search }, bind);
    return summaries(
      `SELECT o.id FROM ${from} ${where(conditions)}
        ORDER BY ${order(fromTheEnd ? REVERSED[sortDir] : sortDir)} LIMIT ${bind(taken)} OFFSET ${bind(skipped)}`,
      order(sortDir),
    );
  });
}

/** The ids of all orders of the list in the order asked for, `most` at most: rows `{ id }`. */
export function idsQuestion(listing: Listing, most: number): Question {
  const { sortField, sortDir } = sortingOf(listing);
  const byName = sortField === 'vendor' && listing.vendorCode === null;
  const column = byName ? 'v.name_key' : SORT_COLUMNS[sortField === 'vendor' ? 'id' : sortField];
  return question((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return `SELECT o.id FROM ${from} ${byName ? 'JOIN vendors v ON v.code = o.vendor_code' : ''}
      ${where(conditions)} ORDER BY ${orderedBy(column, sortDir)} LIMIT ${bind(most)}`;
  });
}

/** How many size rows the list's orders have, counted no further than to `most`: one row `{ total }`. */
export function rowCountQuestion(listing: Listing, most: number): Question {
  return question((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return `SELECT least(coalesce(sum(row_count), 0), ${bind(most)}) AS total FROM (
      SELECT l.row_count FROM ${from} JOIN line_items l ON l.order_id = o.id
      ${where([...conditions, 'l.row_count > 0'])} LIMIT ${bind(most)}) AS counted`;
  });
}

/** The vendors' names in the order asked for: rows `{ codes, orders }`, the codes of the name and its orders in the list. */
export function vendorNamesQuestion(listing: Listing): Question {
  return question((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return `SELECT array_agg(v.code) AS codes, sum(c.orders) AS orders
      FROM (SELECT o.vendor_code, count(*) AS orders FROM ${from} ${where(conditions)} GROUP BY o.vendor_code) c
      JOIN vendors v ON v.code = c.vendor_code
     GROUP BY v.name_key ORDER BY v.name_key ${listing.query.sortDir ?? 'asc'}`;
  });
}

/** The summaries of a slice of these vendors' orders, by the vendor's name. */
export function vendorsPageQuestion(listing: Listing, codes: readonly string[], { offset, limit }: Slice): Question {
  const direction = listing.query.sortDir ?? 'asc';
  const order = `v.name_key ${direction}, o.id ${direction}`;
  return question((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return summaries(
      `SELECT o.id FROM ${from} JOIN vendors v ON v.code = o.vendor_code
       ${where([...conditions, `o.vendor_code = ANY(${bind(codes)}::text[])`])}
        ORDER BY ${order} LIMIT ${bind(limit)} OFFSET ${bind(offset)}`,
      order,
    );
  });
}

// The ids first, out of an index alone: what is skipped is never read.
const summaries = (ids: string, order: string): string =>
  `SELECT ${COLUMNS} FROM (${ids}) AS page JOIN purchase_orders o ON o.id = page.id JOIN vendors v ON v.code = o.vendor_code
    ORDER BY ${order}`;

/** Where much was found, a page near an end is full after a look at some orders. */
function searchOfPage(search: Search | null, total: number | null, reach: number): Search | null {
  const isShallow = search?.form === 'hashed' && (total ?? 0) > MANY_ORDERS && reach <= SHALLOW;
  return isShallow ? { ...search, form: 'checked' } : search;
}

/** The columns that lists look at behind a filter that has an index of its own. */
const LISTED = 'o.id, o.vendor_code, o.status_id, o.po_date, o.xf_date, o.amount';

/** Whether all that the filters leave are read before they are sorted. */
function isSortedLast({ query, search }: Listing): boolean {
  // Only the orders themselves have what the version before wrote.
  if (search?.form === 'former') return false;
  // The index of buyers has a buyer's orders by id.
  return Boolean(query.due?.length) || (query.buyer !== undefined && sortingOf({ query }).sortField !== 'id');
}

/** Where a list's orders come from, and the conditions on them. */
function sourceOf(listing: Listing, bind: Bind): { from: string; conditions: string[] } {
  const { query, vendorCode, now, search } = listing;
  const filters = conditionsOf(query, vendorCode, now, bind);
  const found = search ? [isFound(search, vendorCode, bind)] : [];
  if (!isSortedLast(listing)) return { from: 'purchase_orders o', conditions: [...filters, ...found] };
  // OFFSET 0 keeps PostgreSQL from walking an index in the order asked for: those do not have what the filter looks at, and each order
  // on the way would be read. Out of the filter's own index all that it finds are read at once, and sorted.
  return {
    from: `(SELECT ${LISTED} FROM purchase_orders o WHERE ${filters.join(' AND ')} OFFSET 0) AS o`,
    conditions: found,
  };
}

const where = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
