import { useEffectEvent, useLayoutEffect } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { TEXTS, useStorageKey, useStoredText } from '../../storage/use-stored.js';
import {
  type Draft,
  type Merge,
  newDraft,
  rebase,
  withoutSaved,
  withTyped,
  withoutPending,
} from '../conflict/three-way-merge.js';
import {
  type HeaderField,
  type Value,
  editableOf,
  fieldErrorsOf,
  isUnread,
  mergeHeader,
  orderWith,
  originalOf,
  patchOf,
  readDraft,
  serializeDraft,
  valuesOf,
} from './header-fields.js';

/** What saving the order means for its header. */
export interface HeaderSaving {
  /** The draft of the header that is being saved. */
  head: Draft<Value> | null;
  /** Why the last save failed, except for changes by others, which have their own notice. */
  error: Error | null;
  /** Call it when the user types: the error no longer applies. */
  forget: () => void;
}

const NOTHING: Merge<Value> = { changes: [], conflicts: [] };

/** Element id of a field's input. */
export const idOf = (field: HeaderField): string => `head-${field}`;

export function focusField(field: HeaderField): void {
  const input = document.getElementById(idOf(field));
  input?.scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}

export const useHeaderName = (poRef: string): string => useStorageKey('order', poRef, 'head');

/** A user's edits of an order's header, stored in the browser until they are saved or discarded. */
export function useHeaderEdit(order: OrderDetail, saving: HeaderSaving) {
  const name = useHeaderName(order.poRef);
  const theirs = valuesOf(order);
  const text = useStoredText(name);
  const kept = readDraft(text);
  const draft = kept ?? newDraft(theirs);
  const editable = editableOf(order);
  const errors = fieldErrorsOf(saving.error);
  const put = (next: Draft<Value>) => TEXTS.set(name, serializeDraft(next));
  const sent = saving.head?.mine;
  const onDraftOrOrder = useEffectEvent(() => {
    const later = new Map([...(sent ?? [])].filter(([field, value]) => draft.mine.get(field) !== value));
    const left = withoutSaved(draft, withoutPending(theirs, later));
    if (left !== draft) put(left);
  });
  // Before the paint; otherwise a save whose answer was lost would look like a change by somebody else.
  useLayoutEffect(() => onDraftOrOrder(), [order, text, sent]);
  return {
    /** The order to display, including values that are being saved. */
    order: saving.head ? orderWith(order, patchOf(saving.head.mine)) : order,
    /** `editable`: fields that may be edited now. `locked`: edited fields that may no longer be saved. */
    editable,
    locked: ([...draft.mine.keys()] as HeaderField[]).filter((field) => !editable.includes(field)),
    draft,
    /** Changes by others since typing began. */
    merge: kept ? mergeHeader(kept, theirs) : NOTHING,
    valueOf: (field: HeaderField): Value => (draft.mine.has(field) ? draft.mine.get(field) : theirs.get(field)) ?? null,
    type: (field: HeaderField, value: Value) => {
      saving.forget();
      put(withTyped(draft, withoutPending(theirs, sent), field, value === '' ? null : value));
    },
    discard: () => TEXTS.set(name, ''),
    /** Moves the draft to the order's present values. In a conflict others' value wins if `takes` returns true. */
    settle: (takes: (field: string) => boolean) => put(rebase(draft, theirs, takes, originalOf)),
    /** API errors by field, until the user types again. */
    errors,
    /** Fields to correct before anything can be saved. */
    faulty: editable.filter((field) => field in errors || isUnread(field, draft.mine.get(field) ?? null)),
  };
}

export type HeaderEdit = ReturnType<typeof useHeaderEdit>;
