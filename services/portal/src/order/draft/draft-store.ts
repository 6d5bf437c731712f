import type { KeptTexts } from '../../kept/kept-texts.js';
import { type Draft, EMPTY } from './draft.js';
import { readEdits, written } from './stored-draft.js';

/** A draft that is kept as it is typed: nothing is lost by a reload, a session that ends or a laptop that is closed. */
export interface DraftStore {
  get: () => Draft;
  change: (change: (draft: Draft) => Draft) => void;
  /** Calls `listener` after each change, also of another tab. Returns what ends that. */
  subscribe: (listener: () => void) => () => void;
}

export function openDraft(texts: KeptTexts, name: string): DraftStore {
  let text = texts.get(name);
  let draft: Draft = { ...EMPTY, edits: readEdits(text) };
  /** With what another tab kept; steps of this one would undo what the other typed. */
  const present = (): Draft => {
    const kept = texts.get(name);
    if (kept === text) return draft;
    text = kept;
    return (draft = { ...EMPTY, edits: readEdits(kept) });
  };
  return {
    get: () => draft,
    change: (change) => {
      const before = present();
      const next = change(before);
      if (next === before) return;
      draft = next;
      text = written(next.edits);
      texts.set(name, text);
    },
    subscribe: (listener) =>
      texts.subscribe(() => {
        present();
        listener();
      }),
  };
}
