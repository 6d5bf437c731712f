import type { InboxPart, OrdersQuery, ReminderRule } from './schemas.js';

/** Cache keys. Invalidating a key also refreshes all keys that start with it. */
export const KEYS = {
  me: ['me'],
  filters: ['filters'],
  views: ['views'],
  lists: ['orders'],
  list: (query: OrdersQuery) => ['orders', query],
  /** A fresh copy of a list, only to detect updates; not shown. */
  listUpdates: (query: OrdersQuery) => ['orders-updates', query],
  everyOrder: ['order'],
  orderAll: (poRef: string) => ['order', poRef],
  order: (poRef: string) => ['order', poRef, 'detail'],
  lines: (poRef: string) => ['order', poRef, 'lines'],
  history: (poRef: string) => ['order', poRef, 'history'],
  diff: (poRef: string) => ['order', poRef, 'diff'],
  everyConversation: ['messages'],
  /** Not below `orderAll`, because a change of the order does not affect its messages. */
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
  overdue: ['dashboard', 'overdue'],
  due: (rule: ReminderRule) => ['dashboard', 'due', rule],
} as const;
