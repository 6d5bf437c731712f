import { readList } from '../../storage/text-storage.js';

/** The user's position in a list, restored by the back button. */
export interface ListPosition {
  /** The order that had the focus. */
  cursor: string | null;
  picked: readonly string[];
}

export const START: ListPosition = { cursor: null, picked: [] };
const MAX_POSITIONS = 20;

type Positions = [entry: string, place: ListPosition][];

/** `stored`: positions of a tab. `entry`: key of the history entry. Returns null if there is no position for the entry. */
export const positionOf = (stored: string | null, entry: string): ListPosition | null =>
  new Map(readPositions(stored)).get(entry) ?? null;

/** Adds a position to the stored text, and drops the oldest ones beyond the limit. */
export function withPosition(stored: string | null, entry: string, place: ListPosition): string {
  const others = readPositions(stored).filter(([key]) => key !== entry);
  return JSON.stringify([...others, [entry, place] satisfies Positions[number]].slice(-MAX_POSITIONS));
}

const readPositions = (stored: string | null): Positions => (readList(stored) ?? []).filter(isEntry);

function isEntry(one: unknown): one is Positions[number] {
  if (!Array.isArray(one) || typeof one[0] !== 'string') return false;
  const { cursor, picked } = (one[1] ?? {}) as Partial<Record<keyof ListPosition, unknown>>;
  return (
    (cursor === null || typeof cursor === 'string') &&
    Array.isArray(picked) &&
    picked.every((ref) => typeof ref === 'string')
  );
}
