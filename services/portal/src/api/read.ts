import { queryOptions } from '@tanstack/react-query';

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
