import { type TextStorage, readList } from '../../storage/text-storage.js';
import { type Draft, EMPTY, type Edit, type Edits } from './draft.js';

/** A draft that is kept as it is typed: nothing is lost by a reload, a session that ends or a laptop that is closed. */
export interface DraftStore {
  get: () => Draft;
  change: (change: (draft: Draft) => Draft) => void;
  /** Calls `listener` after each change, also of another tab. Returns what ends that. */
  subscribe: (listener: () => void) => () => void;
}

export function openDraft(texts: TextStorage, name: string): DraftStore {
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

/** Edits as they are kept in the browser; empty where nothing is typed. */
const written = (edits: Edits): string => (edits.size === 0 ? '' : JSON.stringify([...edits]));

/** What was written; nothing of what is not that, such as what another version of the portal wrote. */
const readEdits = (text: string): Edits => new Map((readList(text) ?? []).filter(isEntry));

function isEntry(entry: unknown): entry is [string, Edit] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object' || !entry[1]) return false;
  const { typed, original, reply } = entry[1] as Record<string, unknown>;
  const isValue = (value: unknown) => value === null || typeof value === 'number';
  return (isValue(typed) || typeof typed === 'string') && typeof original === 'number' && isValue(reply);
}
