import { type Draft, EMPTY } from './draft.js';
import { type Storage, keepDraft, readDraft } from './stored-draft.js';

/** A draft that is kept as it is typed: nothing is lost by a reload, a session that ends or a laptop that is closed. */
export interface DraftStore {
  get: () => Draft;
  change: (change: (draft: Draft) => Draft) => void;
  /** Takes what another tab kept; steps of this one would undo what the other typed. */
  reload: () => void;
  /** Calls `listener` after each change. Returns what ends that. */
  subscribe: (listener: () => void) => () => void;
}

/** `full` is called when the browser has no room left to keep it. */
export function openDraft(storage: Storage, name: string, full: () => void): DraftStore {
  const listeners = new Set<() => void>();
  let draft: Draft = { ...EMPTY, edits: readDraft(storage, name) };
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    get: () => draft,
    change: (change) => {
      const next = change(draft);
      if (next === draft) return;
      draft = next;
      if (!keepDraft(storage, name, draft.edits)) full();
      tell();
    },
    reload: () => {
      draft = { ...EMPTY, edits: readDraft(storage, name) };
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
