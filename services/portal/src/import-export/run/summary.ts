import { type Change, type Kind, type OrderImport, kindOf, applicablePreview, needsCheck } from './order-import.js';

/** A change as displayed: the price of a line item is one change, regardless of its number of sizes. */
export type ShownChange = Omit<Change, 'rowHash' | 'size'> & { key: string; sizes: string[] };

/** Groups changes for display, in the order of the API. */
export function shownChanges(changes: readonly Change[]): ShownChange[] {
  const shown = new Map<string, ShownChange>();
  for (const { rowHash, size, ...change } of changes) {
    const isPrice = change.field === 'vendorReplyUnitPrice';
    const key = isPrice ? JSON.stringify([change.code, change.style, change.color, change.from, change.to]) : rowHash;
    const known = shown.get(key);
    if (known) known.sizes.push(size);
    else shown.set(key, { ...change, key, sizes: [size] });
  }
  return [...shown.values()];
}

export const changesOf = ({ state }: OrderImport): ShownChange[] =>
  'preview' in state && state.preview ? shownChanges(state.preview.changes) : [];

export type Summary = ReturnType<typeof summaryOf>;

export function summaryOf(parts: readonly OrderImport[]) {
  const byKind: Record<Kind, number> = { waiting: 0, working: 0, ready: 0, same: 0, faulty: 0, refused: 0, applied: 0 };
  const summary = { rows: 0, changes: 0, errors: 0, byKind };
  for (const part of parts) {
    byKind[kindOf(part)] += 1;
    summary.rows += part.rowIds.length;
    summary.changes += changesOf(part).length;
    if (part.state.at === 'checked') summary.errors += part.state.preview.errors.length;
  }
  return summary;
}

/** Checked rows without a change. If any row of an order has an error, the API does not report the changes of the other rows. */
export function rowsUnchanged(parts: readonly OrderImport[]): number {
  return parts.reduce((sum, { rowIds, state }) => {
    if (state.at !== 'checked' && state.at !== 'applied' && state.at !== 'applying') return sum;
    const { changes, errors } = state.preview;
    if (errors.length > 0) return sum;
    const changed = new Set(changes.map(({ rowHash }) => rowHash));
    return sum + rowIds.filter((id) => !changed.has(id)).length;
  }, 0);
}

/** Rows of orders that cannot be applied: with errors, locked or unknown. */
export const rowsLeftOut = (parts: readonly OrderImport[]): number =>
  parts
    .filter((part) => matchesView('problems', part) && applicablePreview(part) === null && !needsCheck(part))
    .reduce((sum, { rowIds }) => sum + rowIds.length, 0);

/** Filters of the list of orders. */
export const VIEWS = ['all', 'changes', 'problems'] as const;
export type View = (typeof VIEWS)[number];

const PROBLEMS: ReadonlySet<Kind> = new Set<Kind>(['faulty', 'refused']);
const CHANGES: ReadonlySet<Kind> = new Set<Kind>(['ready', 'applied']);

export function matchesView(view: View, part: OrderImport): boolean {
  const kind = kindOf(part);
  if (view === 'problems') return PROBLEMS.has(kind);
  return view === 'all' || CHANGES.has(kind) || changesOf(part).length > 0;
}

/** Sort order: orders that need attention come first, unchanged ones last. Otherwise the order of the file applies. */
const RANK: Readonly<Record<Kind, number>> = {
  faulty: 0,
  refused: 1,
  ready: 2,
  working: 3,
  waiting: 4,
  applied: 5,
  same: 6,
};

/** Display order after all orders are checked; it does not change during the import. */
export const ranked = (parts: readonly OrderImport[]): OrderImport[] =>
  parts.toSorted((a, b) => RANK[kindOf(a)] - RANK[kindOf(b)]);
