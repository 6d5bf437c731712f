import type { Edit, Edits } from './draft.js';

/** The part of `localStorage` that is needed. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'removeItem' | 'setItem'>;

/** Each user of a browser has drafts of their own. */
export const draftName = (user: string, poRef: string): string => `po.draft:${JSON.stringify([user, poRef])}`;

/** What was kept under a name; nothing where it is not what is kept there, such as by another version of the portal. */
export function readDraft(storage: Storage, name: string): Edits {
  try {
    const kept: unknown = JSON.parse(storage.getItem(name) ?? '[]');
    return new Map(Array.isArray(kept) ? kept.filter(isEntry) : []);
  } catch {
    return new Map();
  }
}

/** Keeps edits; none at all leave nothing behind. False where the browser has no room for them. */
export function keepDraft(storage: Storage, name: string, edits: Edits): boolean {
  try {
    if (edits.size === 0) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify([...edits]));
    return true;
  } catch {
    return false;
  }
}

function isEntry(entry: unknown): entry is [string, Edit] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object' || !entry[1]) return false;
  const { typed, original, reply } = entry[1] as Record<string, unknown>;
  const isValue = (value: unknown) => value === null || typeof value === 'number';
  return (isValue(typed) || typeof typed === 'string') && typeof original === 'number' && isValue(reply);
}
