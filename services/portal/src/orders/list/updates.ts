import type { OrderSummary } from '../../api/schemas.js';

/** Effect of reading a page again: number of orders that join or leave it, and whether the remaining ones change places. */
export interface Updates {
  orders: number;
  moved: boolean;
}

/** `shown` and `fresh`: poRefs of the page in order, as displayed and as it is now. */
export function updatesOf(shown: readonly string[], fresh: readonly string[]): Updates {
  const before = new Set(shown);
  const after = new Set(fresh);
  const come = fresh.filter((ref) => !before.has(ref)).length;
  const left = shown.filter((ref) => !after.has(ref)).length;
  const stayed = shown.filter((ref) => after.has(ref));
  const now = fresh.filter((ref) => before.has(ref));
  // An order that joins a full page pushes another one to the next page.
  return { orders: Math.max(come, left), moved: stayed.some((ref, at) => ref !== now[at]) };
}

export const hasUpdates = ({ orders, moved }: Updates): boolean => orders > 0 || moved;

/** Rows of `fresh` with a newer version than in `shown`. */
export function newer<Row extends Pick<OrderSummary, 'poRef' | 'version'>>(
  shown: readonly Row[],
  fresh: readonly Row[],
): Row[] {
  const versions = new Map(shown.map(({ poRef, version }) => [poRef, version]));
  return fresh.filter(({ poRef, version }) => version > (versions.get(poRef) ?? version));
}
