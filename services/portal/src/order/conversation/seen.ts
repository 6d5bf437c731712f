import { readList } from '../../storage/text-storage.js';

/** Time of the latest item that the user saw, by order. The order viewed last comes last. */
export type Seen = readonly (readonly [poRef: string, at: string])[];

/** Orders remembered: about 30 kB of the browser's storage. */
const MAX_ORDERS = 500;

/** Reads stored entries and ignores anything else. */
export const readSeen = (stored: string | null): Seen => (readList(stored) ?? []).filter(isEntry);

const isEntry = (entry: unknown): entry is Seen[number] =>
  Array.isArray(entry) &&
  typeof entry[0] === 'string' &&
  typeof entry[1] === 'string' &&
  !Number.isNaN(Date.parse(entry[1]));

/** Null for an order that the user has not viewed yet. */
export const seenOf = (seen: Seen, poRef: string): string | null =>
  seen.find(([order]) => order === poRef)?.[1] ?? null;

/** Marks an order as seen up to an instant; never moves it back to an earlier one. */
export function withSeen(seen: Seen, poRef: string, at: string): Seen {
  const before = seenOf(seen, poRef);
  const latest = before !== null && Date.parse(before) > Date.parse(at) ? before : at;
  return [...seen.filter(([order]) => order !== poRef), [poRef, latest] as const].slice(-MAX_ORDERS);
}
