import { MAX_PATCHED_LINES } from '@po/contracts/constants';
import type { components } from '@po/client';
import type { SlotKey } from '../lines/size-matrix.js';
import type { Edits, Slots } from './draft.js';

type LinePatch = components['schemas']['LinePatch'];

/** Rows of one request, and the cells of each row. */
export interface LinesPatch {
  lines: LinePatch[];
  cells: { quantity?: SlotKey; price?: SlotKey }[];
}

/** Requests that save the edits, in row order. Invalid entries and removed cells are left out. */
export function patchesOf(edits: Edits, slots: Slots): LinesPatch[] {
  const rows = new Map<string, { line: LinePatch; cells: LinesPatch['cells'][number] }>();
  for (const { key, kind, rowHash } of slots.values()) {
    const typed = edits.get(key)?.typed;
    if (typed === undefined || typeof typed === 'string') continue;
    const row = rows.get(rowHash) ?? { line: { rowHash }, cells: {} };
    row.line[kind === 'price' ? 'vendorReplyUnitPrice' : 'vendorReplyQty'] = typed;
    row.cells[kind] = key;
    rows.set(rowHash, row);
  }
  const all = [...rows.values()];
  return Array.from({ length: Math.ceil(all.length / MAX_PATCHED_LINES) }, (_, index) => {
    const part = all.slice(index * MAX_PATCHED_LINES, (index + 1) * MAX_PATCHED_LINES);
    return { lines: part.map(({ line }) => line), cells: part.map(({ cells }) => cells) };
  });
}

const POINTER = /^\/lines\/(\d+)(?:\/(\w+))?$/;

/** Error messages of a refused request by cell. */
export function refusedCells({ cells }: LinesPatch, errors: readonly unknown[]): Map<SlotKey, string> {
  const refused = new Map<SlotKey, string>();
  for (const error of errors) {
    const { pointer, message } = error as { pointer?: unknown; message?: unknown };
    const [, index, field] = POINTER.exec(String(pointer)) ?? [];
    const row = index === undefined ? undefined : cells[Number(index)];
    if (!row || typeof message !== 'string') continue;
    const key = field === 'vendorReplyUnitPrice' ? row.price : (row.quantity ?? row.price);
    if (key !== undefined) refused.set(key, message);
  }
  return refused;
}
