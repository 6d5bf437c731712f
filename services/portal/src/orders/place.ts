/** Where somebody was in a list: what Back brings back. */
export interface Place {
  /** The order that had the focus. */
  cursor: string | null;
  picked: readonly string[];
  /** How far its rows were scrolled, px. */
  top: number;
}

export const BEGINNING: Place = { cursor: null, picked: [], top: 0 };
const MAX_PLACES = 20;

type Places = [entry: string, place: Place][];

/** `stored`: the places of a tab. `entry`: of the browser's history; null where nobody was there. */
export const placeOf = (stored: string | null, entry: string): Place | null =>
  new Map(readPlaces(stored)).get(entry) ?? null;

/** What to store; the oldest places are forgotten. */
export function withPlace(stored: string | null, entry: string, place: Place): string {
  const others = readPlaces(stored).filter(([key]) => key !== entry);
  return JSON.stringify([...others, [entry, place] satisfies Places[number]].slice(-MAX_PLACES));
}

/** The tab's own storage: written by this version or, before a release, by another. */
function readPlaces(stored: string | null): Places {
  try {
    const found: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(found) ? found.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(one: unknown): one is Places[number] {
  if (!Array.isArray(one) || typeof one[0] !== 'string') return false;
  const { cursor, picked, top } = (one[1] ?? {}) as Partial<Record<keyof Place, unknown>>;
  return (
    (cursor === null || typeof cursor === 'string') &&
    Array.isArray(picked) &&
    picked.every((ref) => typeof ref === 'string') &&
    typeof top === 'number'
  );
}
