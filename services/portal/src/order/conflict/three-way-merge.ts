/** Values by field name. A missing field has no value. */
export type Fields<V> = ReadonlyMap<string, V>;

export interface Draft<V> {
  /** All values of the order when typing began, or when changes by others were last settled. */
  base: Fields<V>;
  /** Typed values that differ from the order's. */
  mine: Fields<V>;
}

interface Change<V> {
  field: string;
  from: V | undefined;
  to: V | undefined;
}

/** A field that both sides changed to different values, or a reply whose original others changed. */
interface Conflict<V> {
  field: string;
  /** Name of the field that others changed: this field or its original. */
  of: string;
  base: V | undefined;
  mine: V;
  theirs: V | undefined;
}

export interface Merge<V> {
  /** All changes by others since the base. */
  changes: Change<V>[];
  conflicts: Conflict<V>[];
}

export const newDraft = <V>(base: Fields<V>): Draft<V> => ({ base, mine: new Map() });

/** Sets a typed value. A field typed back to the order's present value leaves the draft. */
export function withTyped<V>(draft: Draft<V>, theirs: Fields<V>, field: string, value: V): Draft<V> {
  const mine = new Map(draft.mine);
  if (Object.is(theirs.get(field), value)) mine.delete(field);
  else mine.set(field, value);
  return { ...draft, mine };
}

/** The order's values without the fields being saved, so that a value typed back during the save counts as unsaved. */
export const withoutPending = <V>(theirs: Fields<V>, sent: Fields<V> | undefined): Fields<V> =>
  new Map([...theirs].filter(([field]) => !sent?.has(field)));

/** Name of the original that a field replies to, if any. A changed original conflicts with a typed reply. */
type OriginalOf = (field: string) => string | undefined;
const NO_ORIGINAL: OriginalOf = () => undefined;

/** Changes from the draft's base to the order's present values, and those that conflict with typed values. */
export function merge<V>({ base, mine }: Draft<V>, theirs: Fields<V>, originalOf = NO_ORIGINAL): Merge<V> {
  const changes = [...new Set([...base.keys(), ...theirs.keys()])]
    .map((field) => ({ field, from: base.get(field), to: theirs.get(field) }))
    .filter(({ from, to }) => !Object.is(from, to));
  const changeOf = (wanted: string | undefined) => changes.find(({ field }) => field === wanted);
  const conflicts = [...mine].flatMap(([field, value]) => {
    const change = changeOf(field) ?? changeOf(originalOf(field));
    if (!change || Object.is(change.to, value)) return [];
    return [{ field, base: change.from, mine: value, theirs: change.to, of: change.field }];
  });
  return { changes, conflicts };
}

/**
 * Moves a draft to the order's present values. In a conflict others' value wins if `takes` returns true. All other typed values
 * stay, except those that the order already has.
 */
export function rebase<V>(
  draft: Draft<V>,
  theirs: Fields<V>,
  takes: (field: string) => boolean = () => false,
  originalOf = NO_ORIGINAL,
): Draft<V> {
  const given = new Set(
    merge(draft, theirs, originalOf)
      .conflicts.map(({ field }) => field)
      .filter(takes),
  );
  const mine = [...draft.mine].filter(([field, value]) => !given.has(field) && !Object.is(theirs.get(field), value));
  return { base: theirs, mine: new Map(mine) };
}

/** The draft without values that the order already has: the answer to a save was lost, or somebody else typed the same. */
export function withoutSaved<V>(draft: Draft<V>, theirs: Fields<V>): Draft<V> {
  const same = [...draft.mine].filter(([field, value]) => Object.is(theirs.get(field), value));
  if (same.length === 0) return draft;
  const mine = new Map(draft.mine);
  for (const [field] of same) mine.delete(field);
  return { ...draft, base: new Map([...draft.base, ...same]), mine };
}
