import { useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.js';
import { KEYS } from '../api/keys.js';
import { useLiveEvents } from '../api/live/live.js';
import type { OrderList, OrderSummary, OrdersQuery } from '../api/schemas.js';
import { type News, newsOf } from './news.js';

/** An import changes a thousand orders: they are asked for once it is calm, at most this often. */
const CALM_MS = 1000;

/** What others did since the list was asked for: marks of rows, and what asking again would bring. */
export function useNews(query: OrdersQuery, list: OrderList | undefined, isOwn: (poRef: string) => boolean) {
  const { queries } = useApi();
  const cache = useQueryClient();
  const address = JSON.stringify(query);
  const [asked, setAsked] = useState(0);
  const [marks, setMarks] = useState<{ address: string; refs: ReadonlySet<string> }>({ address, refs: new Set() });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const askSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAsked((count) => count + 1), CALM_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  useLiveEvents((event) => {
    if (event.event !== 'po-changed' || !list) return;
    const { poRef, version } = event.data;
    const row = list.data.find((one) => one.poRef === poRef);
    if (row && row.version >= version) return;
    if (row && !isOwn(poRef)) {
      setMarks((present) => ({
        address,
        refs: new Set(present.address === address ? [...present.refs, poRef] : [poRef]),
      }));
    }
    askSoon();
  });
  useWindowEvent('focus', askSoon);

  const { queryFn } = queries.orders(query);
  const fresh = useQuery<OrderList>({
    queryKey: [...KEYS.listNews(query), asked],
    queryFn: queryFn as () => Promise<OrderList>,
    enabled: asked > 0 && list !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  const refsOf = (rows: readonly OrderSummary[]) => rows.map(({ poRef }) => poRef);
  const isAsked = fresh.data !== undefined && list !== undefined;
  const news: News = isAsked ? newsOf(refsOf(list.data), refsOf(fresh.data.data)) : { orders: 0, moved: false };
  return {
    marked: marks.address === address ? marks.refs : new Set<string>(),
    news,
    /** Shows the list as it is now. */
    refresh: async () => {
      setAsked(0);
      setMarks({ address, refs: new Set() });
      await cache.invalidateQueries({ queryKey: KEYS.list(query) });
    },
  };
}
