import { readList } from '../../storage/text-storage.js';

/** Where somebody was in a list: what Back brings back. */
export interface ListPosition {
  /** The order that had the focus. */
  cursor: string | null;
  picked: readonly string[];
  /** How far its rows were scrolled, px. */
  top: number;
}

export const START: ListPosition = { cursor: null, picked: [], top: 0 };
const MAX_POSITIONS = 20;

type Positions = [entry: string, place: ListPosition][];

/** `stored`: the places of a tab. `entry`: of the browser's history; null where nobody was there. */
export const positionOf = (stored: string | null, entry: string): ListPosition | null =>
  new Map(readPositions(stored)).get(entry) ?? null;

/** What to store; the oldest places are forgotten. */
export function withPosition(stored: string | null, entry: string, place: ListPosition): string {
  const others = readPositions(stored).filter(([key]) => key !== entry);
  return JSON.stringify([...others, [entry, place] satisfies Positions[number]].slice(-MAX_POSITIONS));
}

const readPositions = (stored: string | null): Positions => (readList(stored) ?? []).filter(isEntry);

function isEntry(one: unknown): one is Positions[number] {
  if (!Array.isArray(one) || typeof one[0] !== 'string') return false;
  const { cursor, picked, top } = (one[1] ?? {}) as Partial<Record<keyof ListPosition, unknown>>;
  return (
    (cursor === null || typeof cursor === 'string') &&
    Array.isArray(picked) &&
    picked.every((ref) => typeof ref === 'string') &&
    typeof top === 'number'
  );
}
