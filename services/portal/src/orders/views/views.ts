import type { View } from '../../api/schemas.js';
import { knownColumns } from '../columns/columns.js';
import { readList } from '../../storage/text-storage.js';
import { type OrdersSearch, isEmpty, readOrdersSearch } from '../filters/search.js';

/** What a view is of an address: neither the page nor how many orders it has, nor which view is open. */
export const viewed = ({ page: _page, limit: _limit, view: _view, ...search }: OrdersSearch): OrdersSearch => search;

/** Whether the list has these filters and this order. */
export function isShown(view: OrdersSearch, search: OrdersSearch): boolean {
  const text = (one: OrdersSearch) =>
    JSON.stringify(
      Object.entries({ ...viewed(one), status: one.status?.toSorted() ?? [] }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return text(view) === text(search);
}

/** What a saved view asks for. What only a newer portal knows is left out. */
export const searchOf = ({ id, query }: View): OrdersSearch => ({ ...viewed(readOrdersSearch(query)), view: id });

/** Where a view is, with as many orders a page as there are now. */
export const addressOf = (view: OrdersSearch, { limit }: OrdersSearch): OrdersSearch => ({
  ...(isEmpty(view) && limit === undefined ? { view: 'all' } : view),
  ...(limit !== undefined && { limit }),
});

/** Whether the list that a view was opened as is another one by now. */
export const isModified = (view: View, search: OrdersSearch, columns: readonly string[]): boolean =>
  !isShown(searchOf(view), search) || (view.columns !== null && knownColumns(view.columns).join() !== columns.join());

/** In the user's own order; those that have no place in it come last. */
export function ordered(views: readonly View[], ids: readonly string[]): View[] {
  const place = ({ id }: View) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return views.toSorted((a, b) => place(a) - place(b));
}

/** Reads ids that were stored: those of views, in the user's own order. */
export const readIds = (stored: string | null): string[] =>
  (readList(stored) ?? []).filter((id) => typeof id === 'string');
