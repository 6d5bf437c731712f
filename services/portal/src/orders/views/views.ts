import type { View } from '../../api/schemas.js';
import { knownColumns } from '../columns/columns.js';
import { readList } from '../../storage/text-storage.js';
import { type OrdersSearch, isEmpty, readOrdersSearch } from '../filters/search.js';

/** The parameters that define a view: not the page, the page size or the open view. */
export const withoutPaging = ({ page: _page, limit: _limit, view: _view, ...search }: OrdersSearch): OrdersSearch =>
  search;

/** Whether the list has the filters and sorting of the view. */
export function isShown(view: OrdersSearch, search: OrdersSearch): boolean {
  const text = (one: OrdersSearch) =>
    JSON.stringify(
      Object.entries({ ...withoutPaging(one), status: one.status?.toSorted() ?? [] }).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      ),
    );
  return text(view) === text(search);
}

/** Search parameters of a saved view, without those that only a newer portal knows. */
export const searchOf = ({ id, query }: View): OrdersSearch => ({
  ...withoutPaging(readOrdersSearch(query)),
  view: id,
});

/** Search parameters that open a view, with the current page size. */
export const addressOf = (view: OrdersSearch, { limit }: OrdersSearch): OrdersSearch => ({
  ...(isEmpty(view) && limit === undefined ? { view: 'all' } : view),
  ...(limit !== undefined && { limit }),
});

/** Whether the list differs from the saved view. */
export const isModified = (view: View, search: OrdersSearch, columns: readonly string[]): boolean =>
  !isShown(searchOf(view), search) || (view.columns !== null && knownColumns(view.columns).join() !== columns.join());

/** Sorts views in the user's order; views without a place come last. */
export function ordered(views: readonly View[], ids: readonly string[]): View[] {
  const place = ({ id }: View) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return views.toSorted((a, b) => place(a) - place(b));
}

/** Reads stored view ids, in the user's order. */
export const readIds = (stored: string | null): string[] =>
  (readList(stored) ?? []).filter((id) => typeof id === 'string');
