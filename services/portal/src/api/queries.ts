import type { PurchaseOrderClient } from '@po/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { KEYS } from './keys.js';
import { olderPages, read } from './read.js';
import { type InboxPart, type OrdersQuery, type ReminderRule, versioned } from './schemas.js';

/** For data that hardly ever changes. */
const LONG_MS = 5 * 60_000;
const NOTIFICATIONS_PER_PAGE = 50;
const PARAMETERS_OF = {
  all: {},
  unread: { unread: true },
  messages: { kind: ['MESSAGE' as const] },
  reminders: { kind: ['REMINDER' as const] },
};
const OVERDUE = { overdue: true, sortField: 'xfDate', limit: 8 } as const;

const me = (client: PurchaseOrderClient) => read(KEYS.me, (signal) => client.GET('/me', { signal }), LONG_MS);

/** Queries of the API, one entry a resource, for `useQuery` and route loaders. */
export const queriesOf = (client: PurchaseOrderClient) => ({
  me: () => me(client),

  filters: () => read(KEYS.filters, (signal) => client.GET('/po-filters', { signal }), LONG_MS),

  /** The user's own views, and the shared views of others. */
  views: () => read(KEYS.views, (signal) => client.GET('/views', { signal })),

  /** A page of orders. It stays visible while the next page loads; an empty one does not: it would say that there are no orders. */
  orders: (query: OrdersQuery) =>
    queryOptions({
      queryKey: KEYS.list(query),
      queryFn: async ({ signal }) => (await client.GET('/purchase-orders', { params: { query }, signal })).data,
      placeholderData: (previous) => (previous?.data.length === 0 ? undefined : previous),
    }),

  order: (poRef: string) =>
    read(KEYS.order(poRef), (signal) =>
      client.GET('/purchase-orders/{poRef}', { params: { path: { poRef } }, signal }),
    ),

  /** With their version, because the order itself may be read at another time. */
  lines: (poRef: string) =>
    queryOptions({
      queryKey: KEYS.lines(poRef),
      queryFn: async ({ signal }) =>
        versioned(await client.GET('/purchase-orders/{poRef}/line-items', { params: { path: { poRef } }, signal })),
    }),

  history: (poRef: string) =>
    read(KEYS.history(poRef), (signal) =>
      client.GET('/purchase-orders/{poRef}/history', { params: { path: { poRef } }, signal }),
    ),

  diff: (poRef: string) =>
    read(KEYS.diff(poRef), (signal) =>
      client.GET('/purchase-orders/{poRef}/diff', { params: { path: { poRef } }, signal }),
    ),

  actions: (statusId: number, role: string) =>
    read(
      KEYS.actions(statusId, role),
      (signal) => client.GET('/lookups/actions', { params: { query: { statusId, role } }, signal }),
      LONG_MS,
    ),

  /** Newest first, by page. */
  notifications: (which: InboxPart = 'all') =>
    infiniteQueryOptions({
      queryKey: KEYS.notifications(which),
      queryFn: async ({ signal, pageParam }) => {
        const query = { limit: NOTIFICATIONS_PER_PAGE, ...pageParam, ...PARAMETERS_OF[which] };
        return (await client.GET('/notifications', { params: { query }, signal })).data;
      },
      ...olderPages(NOTIFICATIONS_PER_PAGE),
    }),

  preferences: () =>
    queryOptions({
      queryKey: KEYS.preferences,
      queryFn: async ({ signal }) => versioned(await client.GET('/me/preferences', { signal })),
      staleTime: LONG_MS,
    }),

  /** Number of unread notifications: read once, then updated by the live stream. */
  unread: () =>
    queryOptions({
      queryKey: KEYS.unread,
      // Shares one request with `me` if both are read at the same time.
      queryFn: async ({ client: cache }) =>
        (await cache.fetchQuery({ ...me(client), staleTime: 0 })).unreadNotifications,
      staleTime: LONG_MS,
    }),

  kpis: () => read(KEYS.kpis, (signal) => client.GET('/dashboard/kpis', { signal })),

  activity: () => read(KEYS.activity, (signal) => client.GET('/dashboard/recent-activity', { signal })),

  schedule: () => read(KEYS.schedule, (signal) => client.GET('/dashboard/schedule', { signal })),

  /** The most overdue orders. Unlike a list, they are refreshed automatically. */
  overdue: () => read(KEYS.overdue, (signal) => client.GET('/purchase-orders', { params: { query: OVERDUE }, signal })),

  /** Number of orders that have waited longer than this rule allows. */
  due: (rule: ReminderRule) =>
    queryOptions({
      queryKey: KEYS.due(rule),
      queryFn: async ({ signal }) => {
        const query = { due: [rule], limit: 1 };
        return (await client.GET('/purchase-orders', { params: { query }, signal })).data.pagination.total;
      },
    }),
});

export type Queries = ReturnType<typeof queriesOf>;
