import { MAX_EMAIL, MAX_PO_REFS, MAX_SEARCH, MAX_VENDOR } from '@po/contracts/constants';
import type { OrdersQuery, ReminderRule } from '../../api/schemas.js';
import { DUE_RULES } from '../../components/order/next-due.js';

export const SORT_FIELDS = ['id', 'vendor', 'poDate', 'xfDate', 'status', 'amount'] as const;
export type SortField = (typeof SORT_FIELDS)[number];
/** Filters by a flag of the order. `overdue` is its `isOverdue`. */
export const FLAGS = ['overdue', 'hasPendingChanges', 'hasSourceConflict'] as const;
type Flag = (typeof FLAGS)[number];
export const FLAG_TERMS = {
  overdue: 'overdue',
  hasPendingChanges: 'pendingChanges',
  hasSourceConflict: 'sourceConflict',
} as const satisfies Record<Flag, string>;

/** Search parameters of the list, with the names of the API. Omitted ones have their defaults. */
export interface OrdersSearch {
  /** English labels. */
  status?: string[];
  vendor?: string;
  /** An e-mail address, or ME. */
  buyer?: string;
  poRef?: string[];
  search?: string;
  overdue?: boolean;
  hasPendingChanges?: boolean;
  hasSourceConflict?: boolean;
  due?: ReminderRule[];
  sortField?: SortField;
  /** Absent for ascending order. */
  sortDir?: 'desc';
  page?: number;
  limit?: number;
  /** Id of the open saved view. `all` if there are no other parameters, because a URL without any opens the default view. */
  view?: string;
}

const ALL = 'all';
export const ALL_ORDERS: OrdersSearch = { view: ALL };

export const PAGE_SIZES = [25, 50, 100, 200] as const;
const PAGE_SIZE = 50;
const MAX_VIEW_LENGTH = 100;
const PO_REF = /^[A-Z0-9][A-Z0-9._-]{0,39}$/i;
/** The signed-in user as a buyer. */
export const ME = 'me';

/** Reads the search parameters of a URL. Drops invalid values, which a user may have typed. */
export function readOrdersSearch(raw: Record<string, unknown>): OrdersSearch {
  const statuses = new Set(listOf(raw.status));
  const rules = listOf(raw.due);
  const due = DUE_RULES.filter((rule) => rules.includes(rule));
  const vendor = textOf(raw.vendor, MAX_VENDOR);
  const buyer = textOf(raw.buyer, MAX_EMAIL);
  const poRefs = poRefsOf(raw.poRef).slice(0, MAX_PO_REFS);
  const search = textOf(raw.search, MAX_SEARCH);
  const sortField = SORT_FIELDS.find((field) => field === raw.sortField);
  const page = Number(raw.page);
  const limit = PAGE_SIZES.find((size) => size === Number(raw.limit));
  const view = textOf(raw.view, MAX_VIEW_LENGTH);
  const read: OrdersSearch = {
    ...(statuses.size > 0 && { status: [...statuses] }),
    ...(vendor !== '' && { vendor }),
    ...(buyer !== '' && { buyer }),
    ...(poRefs.length > 0 && { poRef: poRefs }),
    ...(search !== '' && { search }),
    ...Object.fromEntries(FLAGS.flatMap((flag) => entryOf(flag, raw[flag]))),
    ...(due.length > 0 && { due }),
    ...(sortField && { sortField, ...(raw.sortDir === 'desc' && { sortDir: 'desc' as const }) }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
    ...(limit !== undefined && limit !== PAGE_SIZE && { limit }),
  };
  return view === '' || (view === ALL && !isEmpty(read)) ? read : { ...read, view };
}

/** Reads the search parameters of the import page. `order`: the order that the file is for. */
export function readImportSearch({ order }: Record<string, unknown>): { order?: string } {
  const poRef = wordOf(order);
  return poRef === '' ? {} : { order: poRef.toUpperCase() };
}

export const isEmpty = (search: OrdersSearch): boolean => Object.keys(search).length === 0;

const listOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (typeof one === 'string' ? partsOf(one) : []));

const poRefsOf = (value: unknown): string[] => {
  const refs = listOf([value].flat().map(wordOf)).filter((ref) => PO_REF.test(ref));
  return [...new Set(refs.map((ref) => ref.toUpperCase()))];
};

/** PO numbers from the cells of a spreadsheet, or separated by semicolons; none if the text is something else. */
export function pastedPoRefs(text: string): string[] {
  const parts = partsOf(text, /[\r\n\t;；]/);
  return parts.length > 1 && parts.every((part) => PO_REF.test(part) && /\d/.test(part)) ? poRefsOf(parts) : [];
}

const partsOf = (text: string, separator: string | RegExp = ','): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The router parses parameters as JSON where possible, so a numeric PO number arrives as a number. */
const wordOf = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';

function textOf(value: unknown, longest: number): string {
  return Array.from(wordOf(value).trim()).slice(0, longest).join('').trim();
}

const entryOf = (flag: Flag, value: unknown): [Flag, boolean][] => {
  const text = String(value);
  return text === 'true' || text === 'false' ? [[flag, text === 'true']] : [];
};

export const queryOf = ({ page = 1, limit = PAGE_SIZE, view: _view, ...filters }: OrdersSearch): OrdersQuery => ({
  ...filters,
  page,
  limit,
});

export const pageSizeOf = ({ limit = PAGE_SIZE }: OrdersSearch): number => limit;

/** Applies changes. New filters or sorting return to the first page. */
export const changed = (search: OrdersSearch, change: Partial<Record<keyof OrdersSearch, unknown>>): OrdersSearch =>
  orAll(readOrdersSearch({ ...search, page: undefined, ...change }));

/** Removes filters and view; keeps sorting and page size. */
export const unfiltered = ({ sortField, sortDir, limit }: OrdersSearch): OrdersSearch =>
  orAll(readOrdersSearch({ sortField, sortDir, limit }));

const orAll = (search: OrdersSearch): OrdersSearch => (isEmpty(search) ? ALL_ORDERS : search);

const FILTERS = ['status', 'vendor', 'buyer', 'poRef', 'search', 'due', ...FLAGS] as const;

export const isFiltered = (search: OrdersSearch): boolean => FILTERS.some((name) => search[name] !== undefined);

/** Cycles through ascending, descending, and the default: newest first. */
export function sortedBy(search: OrdersSearch, field: SortField): OrdersSearch {
  if (search.sortField !== field) return changed(search, { sortField: field, sortDir: undefined });
  return search.sortDir === 'desc'
    ? changed(search, { sortField: undefined, sortDir: undefined })
    : changed(search, { sortDir: 'desc' });
}

/** Adds this status, rule or PO number, or removes it if present. */
export const toggled = (search: OrdersSearch, name: 'status' | 'due' | 'poRef', value: string): OrdersSearch => {
  const present: readonly string[] = search[name] ?? [];
  return changed(search, {
    [name]: present.includes(value) ? present.filter((one) => one !== value) : [...present, value],
  });
};
