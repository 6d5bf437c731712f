import type { View, ViewRequest } from '../../../api/schemas.js';
import type { OrdersSearch } from '../../filters/search.js';
import { withoutPaging } from '../views.js';

/** Number of saved views in the bar; further ones are in a menu. */
const MAX_IN_BAR = 4;

/** The query to store for a view: each search parameter as the text of a query string. */
export const queryTextsOf = (search: OrdersSearch): ViewRequest['query'] =>
  Object.fromEntries(Object.entries(withoutPaging(search)).map(([name, value]) => [name, String(value)]));

export const nameOf = (text: string, longest: number): string =>
  Array.from(text.trim()).slice(0, longest).join('').trim();

/** Moves an id to another place. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const from = ids.indexOf(id);
  return from < 0 ? [...ids] : ids.toSpliced(from, 1).toSpliced(to, 0, id);
}

/** Divides the views into those in the bar, including the open one, and the others. */
export function splitViews(views: readonly View[], open: string | undefined): { inBar: View[]; inMenu: View[] } {
  const at = views.findIndex(({ id }) => id === open);
  const inBar = views.filter((_, index) =>
    at < MAX_IN_BAR ? index < MAX_IN_BAR : index < MAX_IN_BAR - 1 || index === at,
  );
  return { inBar, inMenu: views.filter((view) => !inBar.includes(view)) };
}
