import { useDidUpdate, useTimeout, useWindowEvent } from '@mantine/hooks';
import { focusManager, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import { useLive, useLiveEvents } from '../../api/live/live.js';
import type { OrderList, OrdersQuery } from '../../api/schemas.js';
import { type Updates, updatesOf, newer } from './updates.js';

/** Minimum time between two reads of the list: an import changes a thousand orders, and orders change all day. */
const MIN_INTERVAL_MS = 2000;
const NO_UPDATES: Updates = { orders: 0, moved: false };

/** Changes by others since the list was loaded: marked rows, and the effect of reading the list again. */
export function useUpdates(query: OrdersQuery, list: OrderList | undefined, isOwn: (poRef: string) => boolean) {
  const { queries } = useApi();
  const cache = useQueryClient();
  const address = JSON.stringify(query);
  const [marks, setMarks] = useState<{ address: string; refs: ReadonlySet<string> }>({ address, refs: new Set() });
  const mark = (refs: readonly string[]) =>
    setMarks((present) => ({
      address,
      refs: new Set([...(present.address === address ? present.refs : []), ...refs.filter((ref) => !isOwn(ref))]),
    }));

  const fresh = useQuery({
    ...queries.orders(query),
    queryKey: KEYS.listUpdates(query),
    placeholderData: undefined,
    enabled: false,
    // When the list is shown again, a cached copy would be older than the list itself.
    gcTime: 0,
  });
  const ask = async () => {
    // Forgotten tabs would use up the user's read limit.
    if (!focusManager.isFocused()) return;
    const { data } = await fresh.refetch();
    const shown = cache.getQueryData<OrderList>(KEYS.list(query));
    if (!data || !shown) return;
    // Changes that happened while the stream was disconnected.
    const changed = newer(shown.data, data.data);
    if (changed.length === 0) return;
    mark(changed.map(({ poRef }) => poRef));
    const byRef = new Map(changed.map((row) => [row.poRef, row]));
    cache.setQueryData<OrderList>(KEYS.list(query), {
      ...shown,
      data: shown.data.map((row) => byRef.get(row.poRef) ?? row),
    });
    // Writing rows makes TanStack Query treat the whole list as fresh.
    void cache.invalidateQueries({ queryKey: KEYS.list(query), refetchType: 'none' });
  };
  const { start: askSoon } = useTimeout(() => void ask(), MIN_INTERVAL_MS);

  useLiveEvents((event) => {
    if (event.event === 'reset') askSoon();
    if (event.event !== 'po-changed' || !list) return;
    const { poRef, version } = event.data;
    const row = list.data.find((one) => one.poRef === poRef);
    if (row && row.version >= version) return;
    if (row) mark([poRef]);
    askSoon();
  });
  const { connected } = useLive();
  // Runs whenever the stream opens while a list is shown, including the first time: earlier changes sent no event.
  useDidUpdate(() => {
    if (connected) askSoon();
  }, [connected]);
  useWindowEvent('focus', askSoon);
  useWindowEvent('visibilitychange', askSoon);

  const refsOf = ({ data }: OrderList) => data.map(({ poRef }) => poRef);
  return {
    marked: marks.address === address ? marks.refs : new Set<string>(),
    updates: fresh.data && list ? updatesOf(refsOf(list), refsOf(fresh.data)) : NO_UPDATES,
    refresh: async () => {
      await cache.invalidateQueries({ queryKey: KEYS.list(query) });
      await cache.resetQueries({ queryKey: KEYS.listUpdates(query) });
      setMarks({ address, refs: new Set() });
    },
  };
}
