import type { InboxPart, OrdersQuery, ReminderRule } from './schemas.js';

/** The names of everything that is cached. One that begins with another is refreshed with it. */
export const KEYS = {
  me: ['me'],
  filters: ['filters'],
  views: ['views'],
  lists: ['orders'],
  list: (query: OrdersQuery) => ['orders', query],
  /** A list as it would be if it was asked for now; not shown. */
  listUpdates: (query: OrdersQuery) => ['orders-updates', query],
  everyOrder: ['order'],
  orderAll: (poRef: string) => ['order', poRef],
  order: (poRef: string) => ['order', poRef, 'detail'],
  lines: (poRef: string) => ['order', poRef, 'lines'],
  history: (poRef: string) => ['order', poRef, 'history'],
  diff: (poRef: string) => ['order', poRef, 'diff'],
  everyConversation: ['messages'],
  /** Not of `orderAll`: a change of the order is no message. */
  messages: (poRef: string) => ['messages', poRef],
  message: (poRef: string, id: string) => ['message', poRef, id],
  participants: (poRef: string, q: string) => ['participants', poRef, q],
  actions: (statusId: number, role: string) => ['actions', statusId, role],
  notifications: (which: InboxPart) => ['notifications', 'list', which],
  allNotifications: ['notifications', 'list'],
  unread: ['notifications', 'unread'],
  preferences: ['preferences'],
  dashboard: ['dashboard'],
  kpis: ['dashboard', 'kpis'],
  activity: ['dashboard', 'activity'],
  schedule: ['dashboard', 'schedule'],
  late: ['dashboard', 'late'],
  due: (rule: ReminderRule) => ['dashboard', 'due', rule],
} as const;
