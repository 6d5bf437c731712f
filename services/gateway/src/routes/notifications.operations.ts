import { NotificationsParameters, PATTERNS, text } from '@po/contracts';
import type { PathParameter } from '../http/parameters.js';
import { relayed } from './operation.js';

const id: PathParameter = {
  schema: text(100).min(1).describe('The id of a notification, or `all`.'),
  refusal: 'NOTIFICATION_NOT_FOUND',
};

export const notifications = {
  listNotifications: relayed({
    tag: 'Notifications',
    summary: "The caller's notifications, newest first.",
    description: 'At most 200; `before` leads to older ones.',
    headers: ['x-total-count', 'x-unread-count'],
    method: 'GET',
    path: '/notifications',
    query: NotificationsParameters,
    pattern: PATTERNS.notifications,
    ask: ({ query }) => query,
  }),

  markNotificationRead: relayed({
    tag: 'Notifications',
    summary: 'Marks one notification of the caller as read, or `all` of them.',
    description: 'May be repeated. One that comes after `all` was handled stays unread.',
    method: 'PUT',
    path: '/notifications/:id/read',
    params: { id },
    pattern: PATTERNS.markRead,
    orderedBy: 'caller',
    ask: ({ params }) => params,
  }),
};
