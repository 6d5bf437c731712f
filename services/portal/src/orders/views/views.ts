import { type OrdersSearch, readOrdersSearch } from '../filters/search.js';

/** Filters and order of the list under a name. */
export interface View {
  name: string;
  search: OrdersSearch;
}

/** Views that everybody has. */
export type GivenView = 'all' | 'waiting' | 'late' | 'changed';

/** What waits for somebody of that role to go on; nothing waits for those who only read. */
const WAITING: Readonly<Record<string, readonly string[]>> = {
  VENDOR: ['New', 'In Revision'],
  BUYER: ['Pending Approval'],
  ADMIN: ['Pending Approval'],
};
export const MAX_NAME_LENGTH = 40;
export const MAX_VIEWS = 30;
/** As many of one's own stand beside the given ones; a list of others opens. */
const BESIDE = 4;

/** Whether it is the turn of a vendor, and somebody of a vendor looks. */
export const waitsForVendor = (role: string | undefined, { status }: { status: string }): boolean =>
  role === 'VENDOR' && WAITING[role]?.includes(status) === true;

export function givenViews(role: string | undefined): [GivenView, OrdersSearch][] {
  const waiting = WAITING[role ?? ''];
  return [
    ['all', {}],
    ...(waiting ? [['waiting', { status: [...waiting] }] satisfies [GivenView, OrdersSearch]] : []),
    ['late', { overdue: true, sortField: 'xfDate' }],
    ['changed', { hasPendingChanges: true }],
  ];
}

/** What a view is of an address: neither the page nor how many orders it has. */
const viewed = ({ page: _page, limit: _limit, ...search }: OrdersSearch): OrdersSearch => search;

/** Whether the list shows this view. */
export function isShown(view: OrdersSearch, search: OrdersSearch): boolean {
  const text = (one: OrdersSearch) =>
    JSON.stringify(
      Object.entries({ ...viewed(one), status: one.status?.toSorted() ?? [] }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return text(view) === text(search);
}

/** Reads what was stored, also by another version or by hand: what is no view is left out. */
export function readViews(stored: string | undefined | null): View[] {
  let found: unknown;
  try {
    found = JSON.parse(stored ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(found)) return [];
  return found
    .flatMap((one: unknown): View[] => {
      const { name, search } = (one ?? {}) as { name?: unknown; search?: unknown };
      const readable = typeof name === 'string' && typeof search === 'object' && search !== null;
      return readable && nameOf(name) !== ''
        ? [{ name: nameOf(name), search: viewed(readOrdersSearch(search as Record<string, unknown>)) }]
        : [];
    })
    .reduce<View[]>((views, { name, search }) => saved(views, name, search), []);
}

export const nameOf = (text: string): string => Array.from(text.trim()).slice(0, MAX_NAME_LENGTH).join('').trim();

/** With this view, in the place of the one that has its name; a new one only where there is room. */
export function saved(views: readonly View[], name: string, search: OrdersSearch): View[] {
  const view = { name: nameOf(name), search: viewed(search) };
  if (view.name === '') return [...views];
  return views.some((one) => one.name === view.name)
    ? views.map((one) => (one.name === view.name ? view : one))
    : [...views, view].slice(0, MAX_VIEWS);
}

/** Under another name; it replaces a view that had that one. */
export function renamed(views: readonly View[], from: string, to: string): View[] {
  const name = nameOf(to);
  if (name === '' || name === from) return [...views];
  return views
    .filter((one) => one.name !== name)
    .map((one) => (one.name === from ? { name, search: one.search } : one));
}

/** Which stand in sight, the one that is shown among them, and which do not. */
export function divided(views: readonly View[], search: OrdersSearch): { beside: View[]; further: View[] } {
  const at = views.findIndex((view) => isShown(view.search, search));
  const beside = views.filter((_, index) => (at < BESIDE ? index < BESIDE : index < BESIDE - 1 || index === at));
  return { beside, further: views.filter((view) => !beside.includes(view)) };
}

export const removed = (views: readonly View[], name: string): View[] => views.filter((one) => one.name !== name);

/** Again with a view that was deleted, where it stood; as they are where its name was taken meanwhile, or there is no room. */
export const restored = (views: readonly View[], view: View, at: number): View[] =>
  views.length >= MAX_VIEWS || views.some(({ name }) => name === view.name)
    ? [...views]
    : views.toSpliced(Math.min(at, views.length), 0, view);
