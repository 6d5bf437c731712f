import { ApiProblem } from '@po/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { OrderLines } from '../../api/schemas.js';
import type { SlotKey } from '../matrix/model.js';
import type { Edit, Edits, Slots } from './draft.js';
import { patchesOf, refusedCells } from './patch.js';

interface Saving {
  edits: Edits;
  slots: Slots;
  /** Of the lines that were looked at. */
  version: number;
}

/** What the API said of cells, and what was typed into them then. */
interface Refused {
  messages: ReadonlyMap<SlotKey, string>;
  edits: Edits;
}

const NOTHING: Refused = { messages: new Map(), edits: new Map() };

/** Saves what was typed, in as many requests as it needs. */
export function useSave(poRef: string) {
  const { writes } = useApi();
  const cache = useQueryClient();
  const [refused, setRefused] = useState(NOTHING);
  const save = useMutation({
    mutationFn: async ({ edits, slots, version }: Saving) => {
      setRefused(NOTHING);
      let present = version;
      for (const patch of patchesOf(edits, slots)) {
        try {
          const saved: OrderLines = await writes.updateLines(poRef, present, patch.lines);
          // One that was asked for before would put the old lines back.
          await cache.cancelQueries({ queryKey: KEYS.lines(poRef) });
          cache.setQueryData(KEYS.lines(poRef), saved);
          present = saved.version;
        } catch (error) {
          if (error instanceof ApiProblem)
            setRefused({ messages: refusedCells(patch, error.document?.errors ?? []), edits });
          throw error;
        }
      }
    },
    onSettled: (_data, error) =>
      Promise.all(
        [
          ...[KEYS.order(poRef), KEYS.diff(poRef), KEYS.history(poRef)],
          ...(error === null ? [] : [KEYS.lines(poRef)]),
        ].map((queryKey) => cache.invalidateQueries({ queryKey })),
      ),
  });
  /** Why the API did not take a cell; null once something else is typed there. */
  const refusalOf = useCallback(
    (key: SlotKey, edit: Edit): string | null =>
      refused.edits.get(key) === edit ? (refused.messages.get(key) ?? null) : null,
    [refused],
  );
  return { save, refusalOf };
}

/** The order moved on since it was looked at. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'VERSION_MISMATCH';
