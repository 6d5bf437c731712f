/** What happened, newest first, as it is shown. `known`: ids of what was there when the feed was opened. `held`: what is shown while somebody reads, whatever comes; else null. */
export function feedOf<E extends { id: string }>(
  latest: readonly E[],
  known: ReadonlySet<string>,
  held: readonly E[] | null,
) {
  const shown = held ?? latest;
  const seen = new Set(shown.map(({ id }) => id));
  return {
    shown,
    /** Came since the feed was opened. */
    fresh: new Set([...seen].filter((id) => !known.has(id))),
    /** So many came that are not shown. */
    waiting: latest.filter(({ id }) => !seen.has(id)).length,
  };
}
