import { ApiProblem } from '@po/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { OrderDetail } from '../../api/schemas.js';
import { type Draft, type Merge, merge, newDraft, rebase, typed } from '../conflict/three-way.js';
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
import { keep, readKept, useDraftKey, useKept } from './kept.js';

/** How often a save that came after somebody else's is tried on what they made of the order, where nothing of it is in the way. */
const ATTEMPTS = 3;
const OUTDATED = 412;
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
  /** Resolves with the order's version after it, or null where it did not work; `error` tells why. */
  save: () => Promise<number | null>;
  isSaving: boolean;
  error: Error | null;
  errors: Partial<Record<HeaderField, string>>;
}

/** Kept in the browser until it is saved or discarded. */
export function useHeaderEdit(order: OrderDetail): HeaderEdit {
  const { writes, queries } = useApi();
  const cache = useQueryClient();
  const key = useDraftKey(order.poRef, 'header');
  const theirs = valuesOf(order);
  const kept = readDraft(useKept(key));
  const draft = kept ?? newDraft(order.version, theirs);
  const refresh = () => cache.invalidateQueries({ queryKey: KEYS.orderAll(order.poRef) });
  const put = (next: Draft<Value>) => keep(key, written(next));

  const saving = useMutation({
    mutationFn: async ({ mine }: Draft<Value>) => {
      let { version } = order;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await writes.updateOrder(order.poRef, version, patchOf(mine));
        } catch (error) {
          if (!(error instanceof ApiProblem) || error.status !== OUTDATED || attempt === ATTEMPTS) throw error;
          const present = await cache.fetchQuery({ ...queries.order(order.poRef), staleTime: 0 });
          if (merge(draft, valuesOf(present)).conflicts.length > 0) throw error;
          version = present.version;
        }
      }
    },
    onSuccess: (saved, { mine }) => {
      cache.setQueryData(KEYS.order(order.poRef), saved);
      // What was typed while it was under way is still to be saved.
      const now = readDraft(readKept(key));
      const later = new Map([...(now?.mine ?? [])].filter(([field, value]) => mine.get(field) !== value));
      put(rebase({ ...draft, mine: later }, saved.version, valuesOf(saved)));
      void refresh();
    },
    onError: refresh,
  });
  const { isPending: isSaving, error } = saving;
  const editable = editableOf(order);
  return {
    order: isSaving ? orderWith(order, patchOf(saving.variables.mine)) : order,
    editable,
    locked: ([...draft.mine.keys()] as HeaderField[]).filter((field) => !editable.includes(field)),
    draft,
    merge: kept ? merge(kept, theirs) : NOTHING,
    valueOf: (field) => (draft.mine.has(field) ? draft.mine.get(field) : theirs.get(field)) ?? null,
    type: (field, value) => {
      if (!isSaving) saving.reset();
      put(typed(draft, field, value === '' ? null : value));
    },
    discard: () => {
      saving.reset();
      keep(key, '');
    },
    settle: (takes) => {
      saving.reset();
      put(rebase(draft, order.version, theirs, takes));
    },
    save: () =>
      saving.mutateAsync(draft).then(
        ({ version }) => version,
        () => null,
      ),
    isSaving,
    // The notice of what others did says more.
    error: error instanceof ApiProblem && error.status === OUTDATED ? null : error,
    errors: fieldErrorsOf(error),
  };
}
