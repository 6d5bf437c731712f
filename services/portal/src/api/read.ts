import { queryOptions } from '@tanstack/react-query';

/** Paging options of an infinite query: each page has `entries` entries, all older than those of the page before. */
export const olderPages = (entries: number) => ({
  initialPageParam: {} as { before?: string },
  getNextPageParam: (page: readonly { id: string }[]) => {
    const last = page.at(-1);
    return page.length < entries || !last ? undefined : { before: last.id };
  },
});

/** Query options that unwrap the data of the answer to `get`; `staleTime`: milliseconds during which the data is fresh. */
export const read = <Key extends readonly unknown[], Data>(
  queryKey: Key,
  get: (signal: AbortSignal) => Promise<{ data: Data }>,
  staleTime?: number,
) => {
  const options = queryOptions({ queryKey, queryFn: async ({ signal }) => (await get(signal)).data });
  if (staleTime !== undefined) options.staleTime = staleTime;
  return options;
};
