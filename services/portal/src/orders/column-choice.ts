import type { SortField } from './search.js';

/** In the order in which they stand. */
export const COLUMNS = [
  ...(['poNumber', 'status', 'flags', 'vendor', 'poDate', 'originalXfd', 'xfDate', 'lineCount', 'qty'] as const),
  ...(['amount', 'containerNumber', 'trackingNumber', 'updatedAt'] as const),
] as const;
export type ColumnId = (typeof COLUMNS)[number];

/** Without it one does not know which order a row is. */
export const FIXED: ColumnId = 'poNumber';
const HIDDEN_AT_FIRST: readonly ColumnId[] = ['originalXfd', 'lineCount', 'containerNumber', 'trackingNumber'];
/** Digits stand below each other. */
const NUMBERS: readonly ColumnId[] = ['lineCount', 'qty', 'amount'];
const SORTS: Partial<Record<ColumnId, SortField>> = {
  vendor: 'vendor',
  poDate: 'poDate',
  xfDate: 'xfDate',
  status: 'status',
  amount: 'amount',
};

export const isNumber = (id: string): boolean => NUMBERS.some((one) => one === id);
export const sortFieldOf = (id: string): SortField | undefined => SORTS[id as ColumnId];

export const CHOSEN_AT_FIRST: readonly ColumnId[] = COLUMNS.filter((id) => !HIDDEN_AT_FIRST.includes(id));

/** Reads what was stored: the columns that this version has, of those chosen. */
export function readColumns(stored: string | null | undefined): readonly ColumnId[] {
  try {
    const found: unknown = JSON.parse(stored ?? 'null');
    if (!Array.isArray(found)) return CHOSEN_AT_FIRST;
    return COLUMNS.filter((id) => id === FIXED || found.includes(id));
  } catch {
    return CHOSEN_AT_FIRST;
  }
}

export const columnToggled = (chosen: readonly ColumnId[], id: ColumnId): readonly ColumnId[] =>
  COLUMNS.filter((one) => one === FIXED || (one === id ? !chosen.includes(id) : chosen.includes(one)));
