import { type TextStorage, readList } from '../../storage/text-storage.js';
import { type Draft, EMPTY, type Edit, type Edits } from './draft.js';

/** A draft that is stored as the user types: a reload, an expired session or a closed laptop loses nothing. */
export interface DraftStore {
  get: () => Draft;
  change: (change: (draft: Draft) => Draft) => void;
  /** Calls `listener` after each change, including those of other tabs. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
}

export function openDraft(texts: TextStorage, name: string): DraftStore {
  let text = texts.get(name);
  let draft: Draft = { ...EMPTY, edits: readEdits(text) };
  /** The draft, including edits of other tabs. Those clear the undo steps, which would otherwise undo what another tab typed. */
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
      text = serializeEdits(next.edits);
      texts.set(name, text);
    },
    subscribe: (listener) =>
      texts.subscribe(() => {
        present();
        listener();
      }),
  };
}

/** Edits in their stored form; empty if there are none. */
const serializeEdits = (edits: Edits): string => (edits.size === 0 ? '' : JSON.stringify([...edits]));

/** Reads stored edits and ignores anything else, such as data of another portal version. */
const readEdits = (text: string): Edits => new Map((readList(text) ?? []).filter(isEntry));

function isEntry(entry: unknown): entry is [string, Edit] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object' || !entry[1]) return false;
  const { typed, original, reply } = entry[1] as Record<string, unknown>;
  const isValue = (value: unknown) => value === null || typeof value === 'number';
  return (isValue(typed) || typeof typed === 'string') && typeof original === 'number' && isValue(reply);
}
