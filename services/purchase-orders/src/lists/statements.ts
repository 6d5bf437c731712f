import type { ListSelection, SortField } from '@po/contracts';
import { selectList } from '@po/database';
import { OrderEntity } from '../store/order.entity.js';
import { conditionsOf, isFiltered } from './conditions.js';
import { type Bind, type Query, buildQuery } from './query.js';
import { foundBy, isFoundBy } from './search.js';
import { SUMMARY_PROPERTIES } from './summary.view.js';

/** The query, scope and time of a list. */
export interface Listing<Query extends ListSelection = ListSelection> {
  query: Query;
  /** The vendor of the orders; null for all vendors. */
  vendorCode: string | null;
  now: Date;
}

/** Rows of the sorted list: `limit` rows after the first `offset`. */
export interface Slice {
  offset: number;
  limit: number;
}

const SORT_COLUMNS = {
  id: 'o.id',
  poDate: 'o.po_date',
  xfDate: 'o.xf_date',
  // Status ids ascend in workflow order.
  status: 'o.status_id',
  amount: 'o.amount',
} as const satisfies Partial<Record<SortField, string>>;

export const SUMMARY_COLUMNS = `${selectList(OrderEntity, 'o', SUMMARY_PROPERTIES)}, v.name AS "vendorName"`;
/** Above this number of found orders, the first `SEARCHED_FIRST` orders of the sorted list are searched first. */
const MANY_ORDERS = 10_000;
const SEARCHED_FIRST = 2_000;
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

/** Sorts by id instead of the vendor's name, because all orders of one vendor have the same name. */
const columnOf = (sortField: SortField): string => SORT_COLUMNS[sortField === 'vendor' ? 'id' : sortField];

const orderedBy = (column: string, direction: Direction): string =>
  column === SORT_COLUMNS.id ? `o.id ${direction}` : `${column} ${direction}, o.id ${direction}`;

/** The number of orders in the list: one row `{ total }`. */
export function countQuery(listing: Listing): Query {
  return buildQuery((bind) => {
    const { from, conditions } = sourceOf(listing, bind, null);
    return `SELECT count(*) AS total FROM ${from} ${where(conditions)}`;
  });
}

/** The summaries of a slice, as `SummaryRow`; `total` is null if it was not counted. */
export function pageQuery(listing: Listing, slice: Slice, total: number | null): Query {
  const { sortField, sortDir } = sortingOf(listing);
  const column = columnOf(sortField);
  const order = (direction: Direction) => orderedBy(column, direction);
  // A slice past the middle is closer to the end, so it is read backward.
  const behind = total === null ? -1 : total - slice.offset - slice.limit;
  const fromTheEnd = total !== null && behind < slice.offset;
  const [skipped, taken] = fromTheEnd
    ? [Math.max(behind, 0), slice.limit + Math.min(behind, 0)]
    : [slice.offset, slice.limit];
  return buildQuery((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return summaries(
      `SELECT o.id FROM ${from} ${where(conditions)}
        ORDER BY ${order(fromTheEnd ? REVERSED[sortDir] : sortDir)} LIMIT ${bind(taken)} OFFSET ${bind(skipped)}`,
      order(sortDir),
    );
  });
}

/**
 * The total of a search and the summaries of a slice: rows `{ total }` with a `SummaryRow`, or with nulls if there is none. If many orders
 * are found, the first orders of the sorted list usually fill an early page, which avoids sorting all found orders.
 */
export function foundPageQuery(listing: Listing, search: string, { offset, limit }: Slice): Query {
  const { column, join, direction } = keyOf(listing);
  const { search: _search, ...query } = listing.query;
  return buildQuery((bind) => {
    const found = sourceOf(listing, bind, null);
    const unsearched = sourceOf({ ...listing, query }, bind);
    const order = `ORDER BY o.key ${direction}, o.id ${direction}`;
    const size = bind(limit);
    const slice = `${order} LIMIT ${size} OFFSET ${bind(offset)}`;
    const keyed = (from: string) => `SELECT o.id, ${column} AS key FROM ${from} ${join}`;
    const nearest = `${keyed(unsearched.from)} ${where(unsearched.conditions)}`;
    const all = column === SORT_COLUMNS.id ? 'found o' : 'found JOIN purchase_orders o USING (id)';
    return `WITH found AS MATERIALIZED (SELECT o.id FROM ${found.from} ${where(found.conditions)}),
           counted AS MATERIALIZED (SELECT count(*) AS total FROM found),
           near AS MATERIALIZED (
             SELECT ARRAY(SELECT o.id FROM (SELECT * FROM (${nearest}) AS o ${order} LIMIT ${SEARCHED_FIRST}) AS o
                           WHERE ${isFoundBy(search, bind)} ${slice}) AS ids
               FROM counted WHERE total > ${MANY_ORDERS})
      SELECT ${SUMMARY_COLUMNS}, counted.total
        FROM counted LEFT JOIN LATERAL unnest(coalesce(
               (SELECT ids FROM near WHERE cardinality(ids) = ${size}),
               ARRAY(SELECT o.id FROM (${keyed(all)}) AS o ${slice}))) WITH ORDINALITY AS page (id, place) ON true
        LEFT JOIN purchase_orders o ON o.id = page.id LEFT JOIN vendors v ON v.code = o.vendor_code
       ORDER BY page.place`;
  });
}

/** The ids of the list's orders in the requested sequence, at most `max`: rows `{ id }`. */
export function idsQuery(listing: Listing, max: number): Query {
  const { column, join, direction } = keyOf(listing);
  return buildQuery((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return `SELECT o.id FROM ${from} ${join}
      ${where(conditions)} ORDER BY ${orderedBy(column, direction)} LIMIT ${bind(max)}`;
  });
}

/** The column by which a list is sorted before the id, and the join that it needs. */
function keyOf(listing: Listing): { column: string; join: string; direction: Direction } {
  const { sortField, sortDir: direction } = sortingOf(listing);
  if (sortField === 'vendor' && listing.vendorCode === null)
    return { column: 'v.name_key', join: 'JOIN vendors v ON v.code = o.vendor_code', direction };
  return { column: columnOf(sortField), join: '', direction };
}

/** The number of lines of the list's orders, counted up to `max`: one row `{ total }`. */
export function rowCountQuery(listing: Listing, max: number): Query {
  return buildQuery((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return `SELECT least(coalesce(sum(row_count), 0), ${bind(max)}) AS total FROM (
      SELECT l.row_count FROM ${from} JOIN line_items l ON l.order_id = o.id
      ${where([...conditions, 'l.row_count > 0'])} LIMIT ${bind(max)}) AS counted`;
  });
}

/** Vendor names in the requested order: rows `{ codes, orders }`, the codes with this name and their number of orders in the list. */
export function vendorNamesQuery(listing: Listing): Query {
  return buildQuery((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return `SELECT array_agg(v.code) AS codes, sum(c.orders) AS orders
      FROM (SELECT o.vendor_code, count(*) AS orders FROM ${from} ${where(conditions)} GROUP BY o.vendor_code) c
      JOIN vendors v ON v.code = c.vendor_code
     GROUP BY v.name_key ORDER BY v.name_key ${listing.query.sortDir ?? 'asc'}`;
  });
}

/** The summaries of a slice of these vendors' orders, sorted by vendor name. */
export function vendorsPageQuery(listing: Listing, codes: readonly string[], { offset, limit }: Slice): Query {
  const direction = listing.query.sortDir ?? 'asc';
  const order = `v.name_key ${direction}, o.id ${direction}`;
  return buildQuery((bind) => {
    const { from, conditions } = sourceOf(listing, bind);
    return summaries(
      `SELECT o.id FROM ${from} JOIN vendors v ON v.code = o.vendor_code
       ${where([...conditions, `o.vendor_code = ANY(${bind(codes)}::text[])`])}
        ORDER BY ${order} LIMIT ${bind(limit)} OFFSET ${bind(offset)}`,
      order,
    );
  });
}

// Ids first, by an index-only scan, so that skipped orders are never read.
const summaries = (ids: string, order: string): string =>
  `SELECT ${SUMMARY_COLUMNS} FROM (${ids}) AS page JOIN purchase_orders o ON o.id = page.id JOIN vendors v ON v.code = o.vendor_code
    ORDER BY ${order}`;

/** The columns that lists need after a filter with its own index. */
const LISTED = 'o.id, o.vendor_code, o.status_id, o.po_date, o.xf_date, o.amount';

/** Whether all orders that match the filters are read before they are sorted. */
const isSortedLast = ({ query }: Pick<Listing, 'query'>): boolean =>
  // The index of buyers already sorts a buyer's orders by id.
  Boolean(query.due?.length) || (query.buyer !== undefined && sortingOf({ query }).sortField !== 'id');

/** The FROM item of a list's orders, and the conditions on them. A null `sortField` means that they are not sorted. */
function sourceOf(
  listing: Listing,
  bind: Bind,
  sortField: SortField | null = sortingOf(listing).sortField,
): { from: string; conditions: string[] } {
  const { query, vendorCode, now } = listing;
  const found = query.search === undefined ? null : foundBy(query.search, vendorCode, bind);
  // Without other filters, the orders themselves need not be read.
  if (found && !isFiltered(query) && [null, 'id', 'vendor'].includes(sortField))
    return { from: `(${found}) AS o`, conditions: [] };
  const filters = conditionsOf(query, vendorCode, now, bind);
  const conditions = found ? [`o.id IN (SELECT id FROM (${found}) AS f)`] : [];
  if (!isSortedLast(listing)) return { from: 'purchase_orders o', conditions: [...filters, ...conditions] };
  // OFFSET 0 keeps PostgreSQL from walking an index in sort order: such an index lacks the filter's columns, so each order on the way
  // would be read. Instead, all matches are read from the filter's own index and then sorted.
  return {
    from: `(SELECT ${LISTED} FROM purchase_orders o WHERE ${filters.join(' AND ')} OFFSET 0) AS o`,
    conditions,
  };
}

const where = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
