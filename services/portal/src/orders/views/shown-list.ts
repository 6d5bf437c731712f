import type { ColumnId } from '../columns/columns.js';
import type { OrdersSearch } from '../filters/search.js';

/** What the list of orders shows now. */
export interface ShownList {
  search: OrdersSearch;
  columns: readonly ColumnId[];
}
