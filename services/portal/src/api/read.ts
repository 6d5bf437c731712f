import { queryOptions } from '@tanstack/react-query';

/** Of an infinite query whose pages have so many entries, each page what is older than the one before. */
export const olderPages = (entries: number) => ({
  initialPageParam: {} as { before?: string },
  getNextPageParam: (page: readonly { id: string }[]) => {
    const last = page.at(-1);
    return page.length < entries || !last ? undefined : { before: last.id };
  },
});

/** The data of what `get` asks the API, by its key; `staleTime`: milliseconds in which it is not asked again. */
export const read = <Key extends readonly unknown[], Data>(
  queryKey: Key,
  get: (signal: AbortSignal) => Promise<{ data: Data }>,
  staleTime?: number,
) => {
  const options = queryOptions({ queryKey, queryFn: async ({ signal }) => (await get(signal)).data });
  if (staleTime !== undefined) options.staleTime = staleTime;
  return options;
};
