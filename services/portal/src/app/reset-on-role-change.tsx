import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../api/api.js';

/** A new token can have another role or vendor, which makes all cached data invalid. `tokens`: number of tokens so far. */
export function ResetOnRoleChange({ tokens }: { tokens: number }) {
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
    // If /me cannot be read, no other data can be read either.
    compare().catch(() => undefined);
  }, [cache, queries, tokens]);
  return null;
}
