/**
 * Entries of the feed, newest first. `known`: ids of the entries when the feed was opened. `held`: the entries to keep showing while the
 * user reads, regardless of new ones; otherwise null.
 */
export function feedOf<E extends { id: string }>(
  latest: readonly E[],
  known: ReadonlySet<string>,
  held: readonly E[] | null,
) {
  const shown = held ?? latest;
  const seen = new Set(shown.map(({ id }) => id));
  return {
    shown,
    /** Ids of the shown entries that arrived since the feed was opened. */
    fresh: new Set([...seen].filter((id) => !known.has(id))),
    /** Number of new entries that are not shown yet. */
    waiting: latest.filter(({ id }) => !seen.has(id)).length,
  };
}
