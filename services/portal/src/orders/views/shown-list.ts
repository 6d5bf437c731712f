import type { ColumnId } from '../columns/columns.js';
import type { OrdersSearch } from '../filters/search.js';

/** What the list of orders shows now, and to whom. */
export interface ShownList {
  search: OrdersSearch;
  columns: readonly ColumnId[];
  /** Undefined until it is known who one is. */
  role: string | undefined;
}
