/** Selected orders by poRef, and the anchor from which a range is extended. */
export interface Selection {
  picked: ReadonlySet<string>;
  anchor: string | null;
}

export const NO_SELECTION: Selection = { picked: new Set(), anchor: null };

export function toggled({ picked }: Selection, ref: string): Selection {
  const next = new Set(picked);
  if (!next.delete(ref)) next.add(ref);
  return { picked: next, anchor: ref };
}

/** Gives all rows from the anchor to this one the state of the anchor. */
export function extended(selection: Selection, ref: string, rows: readonly string[]): Selection {
  const from = rows.indexOf(selection.anchor ?? '');
  const to = rows.indexOf(ref);
  if (from < 0 || to < 0) return toggled(selection, ref);
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  const next = new Set(selection.picked);
  const isPicked = next.has(selection.anchor ?? '');
  for (const row of range) {
    if (isPicked) next.add(row);
    else next.delete(row);
  }
  return { picked: next, anchor: selection.anchor };
}

/** Extends the selection from one row to the next, selecting both. On the way back to the anchor, deselects the row that was left. */
export function extendedByOne(selection: Selection, from: string, to: string, rows: readonly string[]): Selection {
  const { picked, anchor } = selection;
  if (anchor === null || !picked.has(anchor) || !picked.has(from))
    return extended({ picked: new Set([...picked, from]), anchor: from }, to, rows);
  const far = (ref: string) => Math.abs(rows.indexOf(ref) - rows.indexOf(anchor));
  return far(to) < far(from)
    ? { picked: new Set([...picked].filter((ref) => ref !== from)), anchor }
    : extended(selection, to, rows);
}

/** Selects all rows of the page, or none if all are selected. */
export const allToggled = ({ picked }: Selection, rows: readonly string[]): Selection =>
  rows.every((row) => picked.has(row)) ? NO_SELECTION : { picked: new Set(rows), anchor: null };

/** Selected rows that are still on the page: actions must not affect rows that the user cannot see. */
export const within = (selection: Selection, rows: readonly string[]): ReadonlySet<string> =>
  new Set(rows.filter((row) => selection.picked.has(row)));
