import type { PurchaseOrderClient } from '@po/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { KEYS } from './keys.js';
import { type InboxPart, type OrdersQuery, type ReminderRule, versioned, versionedLines } from './schemas.js';

/** What hardly ever changes. */
const LONG_MS = 5 * 60_000;
const NOTIFICATIONS_A_PAGE = 50;
const PARAMETERS_OF = {
  all: {},
  unread: { unread: true },
  messages: { kind: ['MESSAGE' as const] },
  reminders: { kind: ['REMINDER' as const] },
};
const LATE = { overdue: true, sortField: 'xfDate', limit: 8 } as const;

const me = (client: PurchaseOrderClient) =>
  queryOptions({
    queryKey: KEYS.me,
    queryFn: async ({ signal }) => (await client.GET('/me', { signal })).data,
    staleTime: LONG_MS,
  });

/** What the API can be asked, one entry a resource, to be given to `useQuery` and to loaders of routes. */
export const queriesOf = (client: PurchaseOrderClient) => ({
  me: () => me(client),

  filters: () =>
    queryOptions({
      queryKey: KEYS.filters,
      queryFn: async ({ signal }) => (await client.GET('/po-filters', { signal })).data,
      staleTime: LONG_MS,
    }),

  /** The user's own views, and those that others share. */
  views: () =>
    queryOptions({
      queryKey: KEYS.views,
      queryFn: async ({ signal }) => (await client.GET('/views', { signal })).data,
    }),

  /** A page of orders; while the next one is loaded this one stays. */
  orders: (query: OrdersQuery) =>
    queryOptions({
      queryKey: KEYS.list(query),
      queryFn: async ({ signal }) => (await client.GET('/purchase-orders', { params: { query }, signal })).data,
      placeholderData: keepPreviousData,
    }),

  order: (poRef: string) =>
    queryOptions({
      queryKey: KEYS.order(poRef),
      queryFn: async ({ signal }) =>
        (await client.GET('/purchase-orders/{poRef}', { params: { path: { poRef } }, signal })).data,
    }),

  /** With the version that they are of: the order's own may be asked for at another moment. */
  lines: (poRef: string) =>
    queryOptions({
      queryKey: KEYS.lines(poRef),
      queryFn: async ({ signal }) =>
        versionedLines(
          await client.GET('/purchase-orders/{poRef}/line-items', { params: { path: { poRef } }, signal }),
        ),
    }),

  history: (poRef: string) =>
    queryOptions({
      queryKey: KEYS.history(poRef),
      queryFn: async ({ signal }) =>
        (await client.GET('/purchase-orders/{poRef}/history', { params: { path: { poRef } }, signal })).data,
    }),

  diff: (poRef: string) =>
    queryOptions({
      queryKey: KEYS.diff(poRef),
      queryFn: async ({ signal }) =>
        (await client.GET('/purchase-orders/{poRef}/diff', { params: { path: { poRef } }, signal })).data,
    }),

  actions: (statusId: number, role: string) =>
    queryOptions({
      queryKey: KEYS.actions(statusId, role),
      queryFn: async ({ signal }) =>
        (await client.GET('/lookups/actions', { params: { query: { statusId, role } }, signal })).data,
      staleTime: LONG_MS,
    }),

  /** Newest first, a page at a time. */
  notifications: (which: InboxPart = 'all') =>
    infiniteQueryOptions({
      queryKey: KEYS.notifications(which),
      queryFn: async ({ signal, pageParam }) => {
        const query = { limit: NOTIFICATIONS_A_PAGE, ...pageParam, ...PARAMETERS_OF[which] };
        return (await client.GET('/notifications', { params: { query }, signal })).data;
      },
      initialPageParam: {} as { before?: string },
      getNextPageParam: (page) => {
        const last = page.at(-1);
        return page.length < NOTIFICATIONS_A_PAGE || !last ? undefined : { before: last.id };
      },
    }),

  preferences: () =>
    queryOptions({
      queryKey: KEYS.preferences,
      queryFn: async ({ signal }) => versioned(await client.GET('/me/preferences', { signal })),
      staleTime: LONG_MS,
    }),

  /** How many notifications are unread: asked once, told by the live stream from then on. */
  unread: () =>
    queryOptions({
      queryKey: KEYS.unread,
      // The same request where both are asked for at once.
      queryFn: async ({ client: cache }) =>
        (await cache.fetchQuery({ ...me(client), staleTime: 0 })).unreadNotifications,
      staleTime: LONG_MS,
    }),

  kpis: () =>
    queryOptions({
      queryKey: KEYS.kpis,
      queryFn: async ({ signal }) => (await client.GET('/dashboard/kpis', { signal })).data,
    }),

  activity: () =>
    queryOptions({
      queryKey: KEYS.activity,
      queryFn: async ({ signal }) => (await client.GET('/dashboard/recent-activity', { signal })).data,
    }),

  schedule: () =>
    queryOptions({
      queryKey: KEYS.schedule,
      queryFn: async ({ signal }) => (await client.GET('/dashboard/schedule', { signal })).data,
    }),

  /** The orders that should have left longest ago; unlike a list, brought up to date by itself. */
  late: () =>
    queryOptions({
      queryKey: KEYS.late,
      queryFn: async ({ signal }) => (await client.GET('/purchase-orders', { params: { query: LATE }, signal })).data,
    }),

  /** How many orders wait for longer than this rule allows. */
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
