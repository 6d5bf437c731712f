import type { Edit, Edits } from './draft.js';

/** Edits as they are kept in the browser; empty where nothing is typed. */
export const written = (edits: Edits): string => (edits.size === 0 ? '' : JSON.stringify([...edits]));

/** What was written; nothing of what is not that, such as what another version of the portal wrote. */
export function readEdits(text: string): Edits {
  try {
    const kept: unknown = JSON.parse(text);
    return new Map(Array.isArray(kept) ? kept.filter(isEntry) : []);
  } catch {
    return new Map();
  }
}

function isEntry(entry: unknown): entry is [string, Edit] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object' || !entry[1]) return false;
  const { typed, original, reply } = entry[1] as Record<string, unknown>;
  const isValue = (value: unknown) => value === null || typeof value === 'number';
  return (isValue(typed) || typeof typed === 'string') && typeof original === 'number' && isValue(reply);
}
