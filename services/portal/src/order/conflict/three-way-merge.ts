/** Values by the name of what they are of: fields of an order's head, or cells by their row. What is not there has no value. */
export type Fields<V> = ReadonlyMap<string, V>;

export interface Draft<V> {
  /** Of the order that was looked at when the typing began, or when others' changes were last settled. */
  version: number;
  /** All that was to be seen then. */
  base: Fields<V>;
  /** What was typed, where it differs from that. */
  mine: Fields<V>;
}

interface Change<V> {
  field: string;
  from: V | undefined;
  to: V | undefined;
}

/** A field that both changed, and not to the same; or one whose original others changed. */
interface Conflict<V> {
  field: string;
  /** What others changed: the field, or its original. */
  of: string;
  base: V | undefined;
  mine: V;
  theirs: V | undefined;
}

export interface Merge<V> {
  /** All that others changed since. */
  changes: Change<V>[];
  conflicts: Conflict<V>[];
}

export const newDraft = <V>(version: number, base: Fields<V>): Draft<V> => ({ version, base, mine: new Map() });

/** A draft in which this was typed over what is there by now; what is typed back to that is no longer one. */
export function typed<V>(draft: Draft<V>, theirs: Fields<V>, field: string, value: V): Draft<V> {
  const mine = new Map(draft.mine);
  if (Object.is(theirs.get(field), value)) mine.delete(field);
  else mine.set(field, value);
  return { ...draft, mine };
}

/** What is there, without what is being saved: typed back to that, it is still typed. */
export const withoutSent = <V>(theirs: Fields<V>, sent: Fields<V> | undefined): Fields<V> =>
  new Map([...theirs].filter(([field]) => !sent?.has(field)));

/** The field that what is typed into this one answers, if there is one: where that changed, it is in the way too. */
type OriginalOf = (field: string) => string | undefined;
const NO_ORIGINAL: OriginalOf = () => undefined;

/** What became of a draft's base, and what of it is in the way of what was typed. */
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
 * The draft on what others made of the order. Of two values for a field, theirs is taken where `takes` says so; all else that was typed
 * stays, but for what is the same as theirs by now.
 */
export function rebase<V>(
  draft: Draft<V>,
  version: number,
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
  return { version, base: theirs, mine: new Map(mine) };
}

/** The draft without what the order says by now: it was saved and nobody heard of it, or somebody else typed the same. */
export function settled<V>(draft: Draft<V>, theirs: Fields<V>): Draft<V> {
  const same = [...draft.mine].filter(([field, value]) => Object.is(theirs.get(field), value));
  if (same.length === 0) return draft;
  const mine = new Map(draft.mine);
  for (const [field] of same) mine.delete(field);
  return { ...draft, base: new Map([...draft.base, ...same]), mine };
}
