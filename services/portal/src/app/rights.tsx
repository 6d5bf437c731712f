import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../api/api.js';

/** With another token, of which there have been so many, the user may have another role or vendor: nothing that was read before is theirs. */
export function Rights({ tokens }: { tokens: number }) {
  const cache = useQueryClient();
  const { queries } = useApi();
  useEffect(() => {
    if (tokens === 1) return;
    const me = queries.me();
    const before = cache.getQueryData(me.queryKey);
    const compare = async () => {
      const { role, vendorCode } = await cache.fetchQuery({ ...me, staleTime: 0 });
      if (before && (before.role !== role || before.vendorCode !== vendorCode)) await cache.resetQueries();
    };
    // Where this cannot be read, nothing can.
    compare().catch(() => undefined);
  }, [cache, queries, tokens]);
  return null;
}
