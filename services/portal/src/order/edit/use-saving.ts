import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { isOutdated } from '../../api/writes.js';
import { TEXTS } from '../../storage/use-stored.js';
import type { DraftStore } from '../draft/draft-store.js';
import { type Edit, type Edits, afterSave, settle } from '../draft/draft.js';
import { refusedCells } from '../draft/patch.js';
import { readDraft, serializeDraft, valuesOf } from '../fields/header-fields.js';
import { type SlotKey, matrixOf } from '../lines/size-matrix.js';
import { type Unsaved, saveOrder } from './save-order.js';

/** Error messages of the API by cell, and the edits that they refer to. */
interface Refused {
  messages: ReadonlyMap<SlotKey, string>;
  edits: Edits;
}

/** The newer of cached data and an answer, which may be late or repeated. */
const newest = <T extends { version: number }>(known: T | undefined, saved: T): T =>
  known && known.version > saved.version ? known : saved;

const NOTHING: Refused = { messages: new Map(), edits: new Map() };

/** Saves the edits of an order. */
export function useSaving(poRef: string, { head, store }: { head: string; store: DraftStore }) {
  const { writes, queries } = useApi();
  const cache = useQueryClient();
  const [refused, setRefused] = useState(NOTHING);
  const refresh = (...keys: readonly (readonly string[])[]) =>
    Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));

  /** Restarts pending reads, because they may be older than the save, or than a later change. */
  const restartPendingReads = () =>
    void cache.invalidateQueries({
      queryKey: KEYS.orderAll(poRef),
      predicate: ({ state }) => state.fetchStatus === 'fetching',
    });

  const saving = useMutation({
    // A save waits for a connection.
    networkMode: 'online',
    mutationFn: async (unsaved: Unsaved) => {
      setRefused(NOTHING);
      // The order is read only after a conflict: the saved version then includes changes by others.
      let isMerged = false;
      const merged = <T>(query: Promise<T>) => {
        isMerged = true;
        return query;
      };
      const left = stillUnsaved(unsaved, head, store);
      const version = await saveOrder(left, {
        updateOrder: (version, patch) => writes.updateOrder(poRef, version, patch),
        updateLines: (version, lines) => writes.updateLines(poRef, version, lines),
        readOrder: () => merged(cache.fetchQuery({ ...queries.order(poRef), staleTime: 0 })),
        readLines: () => merged(cache.fetchQuery({ ...queries.lines(poRef), staleTime: 0 })),
        onOrderSaved: (saved, before) => {
          cache.setQueryData<OrderDetail>(KEYS.order(poRef), (known) => newest(known, saved));
          const lines = cache.getQueryData<OrderLines>(KEYS.lines(poRef));
          if (lines?.version === before)
            cache.setQueryData<OrderLines>(KEYS.lines(poRef), { ...lines, version: saved.version });
          restartPendingReads();
          const now = readDraft(TEXTS.get(head));
          if (!now) return;
          // Values typed during the save are still unsaved, and may conflict with changes by others that it was merged with.
          const later = [...now.mine].filter(([field, value]) => left.head?.mine.get(field) !== value);
          const own = [...valuesOf(saved)].filter(([field]) => left.head?.mine.has(field));
          TEXTS.set(head, serializeDraft({ ...now, base: new Map([...now.base, ...own]), mine: new Map(later) }));
        },
        onLinesSaved: (saved, sent) => {
          const { slots } = matrixOf(saved.data);
          store.change((now) => afterSave(now, sent, slots));
          const shown = cache.setQueryData<OrderLines>(KEYS.lines(poRef), (known) => newest(known, saved));
          // Newer lines may have other values in the saved cells, which are no conflict.
          if (shown?.version !== saved.version) store.change((now) => settle(now, slots));
          restartPendingReads();
        },
        onCellsRefused: (patch, error) => {
          const messages = refusedCells(patch, error.document?.errors ?? []);
          setRefused({ messages, edits: store.get().edits });
        },
      });
      return { version, isMerged };
    },
    // The header has totals of the lines, and the version that the next action needs.
    onSuccess: (_saved, { cells }) => (cells ? refresh(KEYS.order(poRef)) : undefined),
    onSettled: (_saved, error) => {
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
    /** Resolves with the order's new version, or null if the save failed; `error` has the reason. */
    run: async (unsaved: Unsaved) => {
      // A second key press may come before `isPending` is rendered.
      if (running.current) return null;
      running.current = true;
      try {
        return (await saving.mutateAsync(unsaved)).version;
      } catch {
        return null;
      } finally {
        running.current = false;
      }
    },
    isPending,
    /** True while the save waits for a connection. */
    isPaused: saving.isPaused,
    isSuccess,
    /** Order version after the last save on this page; 0 before the first, or if it has changes by others that the user did not see. */
    version: data && !data.isMerged ? data.version : 0,
    /** Why the API refused a cell; null once something else is typed there. */
    refusalOf,
    head: isPending ? variables.head : null,
    error: isOutdated(error) ? null : error,
    forget: () => {
      if (error) saving.reset();
    },
  };
}

export type Saving = ReturnType<typeof useSaving>;

/** The edits still in the draft: while a save waits for a connection, the user may reopen the page and discard some. */
function stillUnsaved(unsaved: Unsaved, head: string, store: DraftStore): Unsaved {
  const kept = readDraft(TEXTS.get(head))?.mine;
  const fields = [...(unsaved.head?.mine ?? [])].filter(([field, value]) => kept?.get(field) === value);
  // Loads edits made on another page.
  store.change((now) => now);
  const { edits } = store.get();
  const cells = [...(unsaved.cells?.edits ?? [])].filter(([key, { typed }]) => edits.get(key)?.typed === typed);
  return {
    ...unsaved,
    head: unsaved.head && fields.length > 0 ? { ...unsaved.head, mine: new Map(fields) } : null,
    cells: unsaved.cells && cells.length > 0 ? { ...unsaved.cells, edits: new Map(cells) } : null,
  };
}
