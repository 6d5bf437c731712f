import type { OrderSummary } from '../../api/schemas.js';

/** What asking for a page again would change: orders that come to it and that leave it, and whether those that stay change places. */
export interface Updates {
  orders: number;
  moved: boolean;
}

/** `shown` and `fresh`: poRefs of a page in their order, as it is seen and as it is now. */
export function updatesOf(shown: readonly string[], fresh: readonly string[]): Updates {
  const before = new Set(shown);
  const after = new Set(fresh);
  const come = fresh.filter((ref) => !before.has(ref)).length;
  const left = shown.filter((ref) => !after.has(ref)).length;
  const stayed = shown.filter((ref) => after.has(ref));
  const now = fresh.filter((ref) => before.has(ref));
  // One that comes to a full page pushes another to the next.
  return { orders: Math.max(come, left), moved: stayed.some((ref, at) => ref !== now[at]) };
}

export const hasUpdates = ({ orders, moved }: Updates): boolean => orders > 0 || moved;

/** Rows of `shown` as they are now, where they changed. */
export function newer<Row extends Pick<OrderSummary, 'poRef' | 'version'>>(
  shown: readonly Row[],
  fresh: readonly Row[],
): Row[] {
  const versions = new Map(shown.map(({ poRef, version }) => [poRef, version]));
  return fresh.filter(({ poRef, version }) => version > (versions.get(poRef) ?? version));
}
