interface Entry {
  id: string;
}

/** What happened, newest first, as it is shown. */
export interface Feed<E extends Entry> {
  shown: readonly E[];
  /** Came since the feed was opened. */
  fresh: ReadonlySet<string>;
  /** So many came that are not shown. */
  waiting: number;
}

/** `known`: ids of what was there when the feed was opened. `held`: what is shown while somebody reads, whatever comes; else null. */
export function feedOf<E extends Entry>(
  latest: readonly E[],
  known: ReadonlySet<string>,
  held: readonly E[] | null,
): Feed<E> {
  const shown = held ?? latest;
  const seen = new Set(shown.map(({ id }) => id));
  return {
    shown,
    fresh: new Set([...seen].filter((id) => !known.has(id))),
    waiting: latest.filter(({ id }) => !seen.has(id)).length,
  };
}
