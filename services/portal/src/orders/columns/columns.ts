import type { TERMS } from '../../language/terms.js';
import { readList } from '../../storage/text-storage.js';
import type { SortField } from '../filters/search.js';
import type { ORDERS } from '../texts.js';

interface Column {
  name: (terms: (typeof TERMS)['en'], texts: (typeof ORDERS)['en']) => string;
  /** Usual width of its texts in pixels, used while the list loads. */
  width: number;
  sort?: SortField;
  /** Aligned so that digits line up. */
  isNumber?: true;
  /** Hidden until the user chooses it. */
  isHiddenByDefault?: true;
}

/** Columns of the list, in display order. `column-cells.tsx` renders their cells. */
const TABLE = {
  poNumber: { name: (terms) => terms.poNumber, width: 110 },
  status: { name: (terms) => terms.status, width: 90, sort: 'status' },
  flags: { name: (_, texts) => texts.flags, width: 40 },
  vendor: { name: (terms) => terms.vendor, width: 140, sort: 'vendor' },
  poDate: { name: (terms) => terms.poDate, width: 80, sort: 'poDate' },
  originalXfd: { name: (terms) => terms.originalXfd, width: 80, isHiddenByDefault: true },
  xfDate: { name: (terms) => terms.xfDate, width: 80, sort: 'xfDate' },
  due: { name: (terms) => terms.due, width: 130 },
  lineCount: { name: (_, texts) => texts.lineCount, width: 30, isNumber: true, isHiddenByDefault: true },
  qty: { name: (terms) => terms.quantity, width: 60, isNumber: true },
  amount: { name: (terms) => terms.amount, width: 100, sort: 'amount', isNumber: true },
  containerNumber: { name: (terms) => terms.container, width: 90, isHiddenByDefault: true },
  trackingNumber: { name: (terms) => terms.tracking, width: 90, isHiddenByDefault: true },
  updatedAt: { name: (terms) => terms.updated, width: 110 },
} as const satisfies Record<string, Column>;

export type ColumnId = keyof typeof TABLE;
export const COLUMNS: Readonly<Record<ColumnId, Column>> = TABLE;
export const COLUMN_IDS = Object.keys(TABLE) as ColumnId[];

/** Always shown, because it identifies the order of a row. */
export const FIXED: ColumnId = 'poNumber';
export const DEFAULT_COLUMNS: readonly ColumnId[] = COLUMN_IDS.filter((id) => !COLUMNS[id].isHiddenByDefault);

export function readColumns(stored: string | null): readonly ColumnId[] {
  const chosen = readList(stored);
  return chosen ? knownColumns(chosen) : DEFAULT_COLUMNS;
}

/** The chosen columns that exist in this version. */
export const knownColumns = (chosen: readonly unknown[]): readonly ColumnId[] =>
  COLUMN_IDS.filter((id) => id === FIXED || chosen.includes(id));

export const columnToggled = (chosen: readonly ColumnId[], id: ColumnId): readonly ColumnId[] =>
  COLUMN_IDS.filter((one) => one === FIXED || (one === id ? !chosen.includes(id) : chosen.includes(one)));
