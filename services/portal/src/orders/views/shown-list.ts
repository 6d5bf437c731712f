import type { ColumnId } from '../columns/columns.js';
import type { OrdersSearch } from '../filters/search.js';

export interface ShownList {
  search: OrdersSearch;
  columns: readonly ColumnId[];
}
