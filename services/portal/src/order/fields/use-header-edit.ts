import { useEffectEvent, useLayoutEffect } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { TEXTS, useStorageKey, useStoredText } from '../../storage/use-stored.js';
import { type Draft, type Merge, newDraft, rebase, settled, typed, withoutSent } from '../conflict/three-way-merge.js';
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
  valuesOf,
  written,
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

/** By which a field can be led to. */
export const idOf = (field: HeaderField): string => `head-${field}`;

export function leadToField(field: HeaderField): void {
  const input = document.getElementById(idOf(field));
  input?.scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}

export const useHeaderName = (poRef: string): string => useStorageKey('order', poRef, 'head');

/** What a user types into the head of an order, kept in the browser until it is saved or discarded. */
export function useHeaderEdit(order: OrderDetail, saving: HeaderSaving) {
  const name = useHeaderName(order.poRef);
  const theirs = valuesOf(order);
  const text = useStoredText(name);
  const kept = readDraft(text);
  const draft = kept ?? newDraft(order.version, theirs);
  const editable = editableOf(order);
  const errors = fieldErrorsOf(saving.error);
  const put = (next: Draft<Value>) => TEXTS.set(name, written(next));
  const sent = saving.head?.mine;
  const onDraftOrOrder = useEffectEvent(() => {
    const later = new Map([...(sent ?? [])].filter(([field, value]) => draft.mine.get(field) !== value));
    const left = settled(draft, withoutSent(theirs, later));
    if (left !== draft) put(left);
  });
  // Before it is painted: a save whose answer was lost would look like a change by somebody else.
  useLayoutEffect(() => onDraftOrOrder(), [order, text, sent]);
  return {
    /** The order as it is to be seen: what is being saved counts already. */
    order: saving.head ? orderWith(order, patchOf(saving.head.mine)) : order,
    /** What may be typed into now, and before these what was typed and may not be saved any more. */
    editable,
    locked: ([...draft.mine.keys()] as HeaderField[]).filter((field) => !editable.includes(field)),
    draft,
    /** What others did since the typing began. */
    merge: kept ? mergeHeader(kept, theirs) : NOTHING,
    valueOf: (field: HeaderField): Value => (draft.mine.has(field) ? draft.mine.get(field) : theirs.get(field)) ?? null,
    type: (field: HeaderField, value: Value) => {
      saving.forget();
      put(typed(draft, withoutSent(theirs, sent), field, value === '' ? null : value));
    },
    discard: () => TEXTS.set(name, ''),
    /** Goes on with what others made of the order; where both changed a field, theirs is taken where `takes` says so. */
    settle: (takes: (field: string) => boolean) => put(rebase(draft, order.version, theirs, takes, originalOf)),
    /** What the API said of fields as they are. */
    errors,
    /** Those to be corrected before anything can be saved. */
    faulty: editable.filter((field) => field in errors || isUnread(field, draft.mine.get(field) ?? null)),
  };
}

export type HeaderEdit = ReturnType<typeof useHeaderEdit>;
