/** Orders that are selected, by their poRef, and the one from which a range goes on. */
export interface Selection {
  picked: ReadonlySet<string>;
  anchor: string | null;
}

export const NOTHING: Selection = { picked: new Set(), anchor: null };

export function toggled({ picked }: Selection, ref: string): Selection {
  const next = new Set(picked);
  if (!next.delete(ref)) next.add(ref);
  return { picked: next, anchor: ref };
}

/** All from the anchor to this one become as the anchor is. */
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

/** From the row that one leaves, which is selected too, to the next one; back again, the one that is left is no longer selected. */
export function stretched(selection: Selection, from: string, to: string, rows: readonly string[]): Selection {
  const { picked, anchor } = selection;
  if (anchor === null || !picked.has(anchor) || !picked.has(from))
    return extended({ picked: new Set([...picked, from]), anchor: from }, to, rows);
  const far = (ref: string) => Math.abs(rows.indexOf(ref) - rows.indexOf(anchor));
  return far(to) < far(from)
    ? { picked: new Set([...picked].filter((ref) => ref !== from)), anchor }
    : extended(selection, to, rows);
}

/** All of the page, or none where all are. */
export const allToggled = ({ picked }: Selection, rows: readonly string[]): Selection =>
  rows.every((row) => picked.has(row)) ? NOTHING : { picked: new Set(rows), anchor: null };

/** What is no longer on the page is not selected: nothing happens to what one does not see. */
export const within = (selection: Selection, rows: readonly string[]): ReadonlySet<string> =>
  new Set(rows.filter((row) => selection.picked.has(row)));
