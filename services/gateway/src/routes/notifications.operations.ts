import { NotificationsParameters, PATTERNS, text } from '@po/contracts';
import type { PathParameter } from '../http/parameters.js';
import { relayed } from './operation.js';

const id: PathParameter = { schema: text(100).min(1), refusal: 'NOTIFICATION_NOT_FOUND' };

export const notifications = {
  listNotifications: relayed({
    tag: 'Notifications',
    summary: "The caller's notifications, newest first.",
    method: 'GET',
    path: '/notifications',
    query: NotificationsParameters,
    pattern: PATTERNS.notifications,
    ask: ({ query }) => query,
  }),

  markNotificationRead: relayed({
    tag: 'Notifications',
    summary: 'Marks one notification of the caller as read, or `all` of them.',
    method: 'PUT',
    path: '/notifications/:id/read',
    params: { id },
    pattern: PATTERNS.markRead,
    orderedBy: 'caller',
    ask: ({ params }) => params,
  }),
};
