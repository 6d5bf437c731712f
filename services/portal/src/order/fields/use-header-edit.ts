import { useLayoutEffect } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { TEXTS, useKeptName, useKeptText } from '../../kept/use-kept.js';
import { type Draft, type Merge, merge, newDraft, rebase, settled, typed } from '../conflict/three-way.js';
import type { Saving } from '../edit/use-saving.js';
import {
  type HeaderField,
  type Value,
  editableOf,
  fieldErrorsOf,
  orderWith,
  patchOf,
  readDraft,
  valuesOf,
  written,
} from './header-fields.js';

const NOTHING: Merge<Value> = { changes: [], conflicts: [] };

/** What a user types into the head of an order. */
export interface HeaderEdit {
  /** The order as it is to be seen: what is being saved counts already. */
  order: OrderDetail;
  /** What may be typed into now, and before these what was typed and may not be saved any more. */
  editable: readonly HeaderField[];
  locked: readonly HeaderField[];
  draft: Draft<Value>;
  /** What others did since the typing began. */
  merge: Merge<Value>;
  valueOf: (field: HeaderField) => Value;
  type: (field: HeaderField, value: Value) => void;
  discard: () => void;
  /** Goes on with what others made of the order; where both changed a field, theirs is taken where `takes` says so. */
  settle: (takes: (field: string) => boolean) => void;
  errors: Partial<Record<HeaderField, string>>;
}

/** Where the draft of an order's head is kept. */
export const useHeaderName = (poRef: string): string => useKeptName('order', poRef, 'head');

/** Kept in the browser until it is saved or discarded. */
export function useHeaderEdit(order: OrderDetail, saving: Saving): HeaderEdit {
  const name = useHeaderName(order.poRef);
  const theirs = valuesOf(order);
  const kept = readDraft(useKeptText(name));
  const draft = kept ?? newDraft(order.version, theirs);
  const editable = editableOf(order);
  const put = (next: Draft<Value>) => TEXTS.set(name, written(next));
  // Before it is painted: a save that nobody heard of would be told as what somebody else did.
  useLayoutEffect(() => {
    const left = settled(draft, theirs);
    if (left !== draft) put(left);
  });
  return {
    order: saving.head ? orderWith(order, patchOf(saving.head.mine)) : order,
    editable,
    locked: ([...draft.mine.keys()] as HeaderField[]).filter((field) => !editable.includes(field)),
    draft,
    merge: kept ? merge(kept, theirs) : NOTHING,
    valueOf: (field) => (draft.mine.has(field) ? draft.mine.get(field) : theirs.get(field)) ?? null,
    type: (field, value) => {
      saving.forget();
      put(typed(draft, field, value === '' ? null : value));
    },
    discard: () => TEXTS.set(name, ''),
    settle: (takes) => put(rebase(draft, order.version, theirs, takes)),
    errors: fieldErrorsOf(saving.error),
  };
}
