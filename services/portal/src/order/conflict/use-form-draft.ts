import { useState } from 'react';
import {
  type Draft,
  type Fields,
  merge,
  newDraft,
  rebase,
  withTyped,
  withoutPending,
  withoutSaved,
} from './three-way-merge.js';

/** Unsaved input of a form. `present`: the stored values of `version`; `pending`: the values that are being saved, if any. */
export function useFormDraft(version: unknown, present: Fields<string>, pending: Fields<string> | undefined) {
  const nothing = () => newDraft(present);
  const [stored, setDraft] = useState(nothing);
  const current = (draft: Draft<string>) => {
    // Otherwise a save whose answer was lost would look like a change by somebody else.
    const left = pending ? draft : withoutSaved(draft, present);
    return left.mine.size === 0 ? nothing() : left;
  };
  const [seen, setSeen] = useState(version);
  if (seen !== version) {
    setSeen(version);
    setDraft(current(stored));
  }
  const draft = current(stored);
  const { mine } = draft;
  return {
    mine,
    valueOf: (field: string) => mine.get(field) ?? present.get(field) ?? '',
    type: (field: string, value: string) => {
      // A value typed back during the save counts as unsaved.
      const theirs = withoutPending(present, pending);
      setDraft((now) => withTyped(current(now), theirs, field, value));
    },
    isChanged: mine.size > 0,
    /** Changes by others since typing began. */
    newer: merge(draft, present),
    /** Continues on the present values. Conflicting input is kept, or replaced if `takesTheirs`. */
    settle: (takesTheirs: boolean) => setDraft((now) => rebase(current(now), present, () => takesTheirs)),
    /** Continues on these values after a save. */
    saved: (values: Fields<string>) => setDraft((now) => rebase(now, values)),
    discard: () => setDraft(nothing()),
  };
}
