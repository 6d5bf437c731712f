import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { OrderLines } from '../../api/schemas.js';
import { isOutdated } from '../../api/writes.js';
import { TEXTS } from '../../storage/use-stored.js';
import { rebase } from '../conflict/three-way-merge.js';
import type { DraftStore } from '../draft/draft-store.js';
import { type Edit, type Edits, type Slots, afterSave } from '../draft/draft.js';
import { refusedCells } from '../draft/patch.js';
import { readDraft, valuesOf, written } from '../fields/header-fields.js';
import { type SlotKey, matrixOf } from '../lines/size-matrix.js';
import { type Unsaved, saveOrder } from './save-order.js';

/** What the API said of cells, and what was typed into them then. */
interface Refused {
  messages: ReadonlyMap<SlotKey, string>;
  edits: Edits;
}

const NOTHING: Refused = { messages: new Map(), edits: new Map() };

/** Saves what is typed into an order. `seen` hears which cells were saved, and of all cells what they are then. */
export function useSaving(
  poRef: string,
  { head, store }: { head: string; store: DraftStore },
  seen: (sent: Edits, slots: Slots) => void,
) {
  const { writes, queries } = useApi();
  const cache = useQueryClient();
  const [refused, setRefused] = useState(NOTHING);
  const refresh = (...keys: readonly (readonly string[])[]) =>
    Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));

  /** What is being read: it may be of before what was saved, or of a later change. */
  const readAnew = () =>
    void cache.invalidateQueries({
      queryKey: KEYS.orderAll(poRef),
      predicate: ({ state }) => state.fetchStatus === 'fetching',
    });

  const saving = useMutation({
    // What is typed waits for a connection.
    networkMode: 'online',
    mutationFn: (unsaved: Unsaved) => {
      setRefused(NOTHING);
      return saveOrder(stillUnsaved(unsaved, head, store), {
        updateOrder: (version, patch) => writes.updateOrder(poRef, version, patch),
        updateLines: (version, lines) => writes.updateLines(poRef, version, lines),
        readOrder: () => cache.fetchQuery({ ...queries.order(poRef), staleTime: 0 }),
        readLines: () => cache.fetchQuery({ ...queries.lines(poRef), staleTime: 0 }),
        tookOrder: (saved, before) => {
          cache.setQueryData(KEYS.order(poRef), saved);
          const lines = cache.getQueryData<OrderLines>(KEYS.lines(poRef));
          if (lines?.version === before)
            cache.setQueryData<OrderLines>(KEYS.lines(poRef), { ...lines, version: saved.version });
          readAnew();
          const now = readDraft(TEXTS.get(head));
          if (!now) return;
          // What was typed while it was under way is still to be saved.
          const later = [...now.mine].filter(([field, value]) => unsaved.head?.mine.get(field) !== value);
          TEXTS.set(head, written(rebase({ ...now, mine: new Map(later) }, saved.version, valuesOf(saved))));
        },
        tookLines: (saved, sent) => {
          const { slots } = matrixOf(saved.data);
          store.change((now) => afterSave(now, sent, slots));
          seen(sent, slots);
          cache.setQueryData(KEYS.lines(poRef), saved);
          readAnew();
        },
        refused: (patch, error) => {
          const messages = refusedCells(patch, error.document?.errors ?? []);
          setRefused({ messages, edits: store.get().edits });
        },
      });
    },
    // The head has sums of the lines, and the version that whoever goes on acts on.
    onSuccess: (_version, { cells }) => (cells ? refresh(KEYS.order(poRef)) : undefined),
    onSettled: (_version, error) => {
      void refresh(...(error ? [KEYS.orderAll(poRef)] : [KEYS.diff(poRef), KEYS.history(poRef)]));
    },
  });
  const refusalOf = useCallback(
    (key: SlotKey, edit: Edit): string | null =>
      refused.edits.get(key) === edit ? (refused.messages.get(key) ?? null) : null,
    [refused],
  );
  const running = useRef(false);
  const { isPending, isSuccess, error, data, variables } = saving;
  return {
    /** Resolves with the order's version after it, or null where it did not work; `error` tells why. */
    run: async (unsaved: Unsaved) => {
      // Of two keys at once, the second comes before it is seen that the first one saves.
      if (running.current) return null;
      running.current = true;
      try {
        return await saving.mutateAsync(unsaved);
      } catch {
        return null;
      } finally {
        running.current = false;
      }
    },
    isPending,
    /** It waits for the connection. */
    isPaused: saving.isPaused,
    isSuccess,
    /** Of the order after what was saved here last; 0 before. */
    version: data ?? 0,
    /** Why the API did not take a cell; null once something else is typed there. */
    refusalOf,
    head: isPending ? variables.head : null,
    error: isOutdated(error) ? null : error,
    forget: () => {
      if (error) saving.reset();
    },
  };
}

export type Saving = ReturnType<typeof useSaving>;

/** What is still typed so: what waited for the connection may have been discarded meanwhile, after its page was left and opened again. */
function stillUnsaved(unsaved: Unsaved, head: string, store: DraftStore): Unsaved {
  const kept = readDraft(TEXTS.get(head))?.mine;
  const fields = [...(unsaved.head?.mine ?? [])].filter(([field, value]) => kept?.get(field) === value);
  // Also what another page made of them.
  store.change((now) => now);
  const { edits } = store.get();
  const cells = [...(unsaved.cells?.edits ?? [])].filter(([key, { typed }]) => edits.get(key)?.typed === typed);
  return {
    ...unsaved,
    head: unsaved.head && fields.length > 0 ? { ...unsaved.head, mine: new Map(fields) } : null,
    cells: unsaved.cells && cells.length > 0 ? { ...unsaved.cells, edits: new Map(cells) } : null,
  };
}
