import { NotificationsParameters, PATTERNS, StreamParameters, text } from '@po/contracts';
import type { PathParameter } from '../../http/parameters.js';
import { custom, proxied } from '../operation.js';

const id: PathParameter = {
  schema: text(100).min(1).describe('The id of a notification, or `all`.'),
  refusal: 'NOTIFICATION_NOT_FOUND',
};

export const notifications = {
  listNotifications: proxied({
    tag: 'Notifications',
    summary: "The caller's notifications, newest first.",
    description: 'At most 200; `before` leads to older ones.',
    headers: ['x-total-count', 'x-unread-count'],
    method: 'GET',
    path: '/notifications',
    query: NotificationsParameters,
    pattern: PATTERNS.notifications,
    payload: ({ query }) => query,
  }),

  markNotificationRead: proxied({
    tag: 'Notifications',
    summary: 'Marks one notification of the caller as read, or all of them.',
    description: 'May be repeated. One that comes after `all` was handled stays unread.',
    method: 'PUT',
    path: '/notifications/:id/read',
    params: { id },
    pattern: PATTERNS.markRead,
    orderedBy: 'caller',
    payload: ({ params }) => params,
  }),
};

export const streamNotifications = custom({
  tag: 'Notifications',
  summary: "The caller's notifications, unread count and changed purchase orders as they come: server-sent events.",
  description: [
    'Opened by `fetch` with the token header, read as it comes, and opened again when it breaks. First `unread`, then what was missed',
    'since `Last-Event-ID` (or `lastEventId`; the header wins): a `notification` each, in order, none twice, none missing, up to 1,000.',
    'With an id that is not of this inbox, or further behind, `reset`: read the list of notifications. Then, as they come:',
    '`notification`, whose `id` is the one to go on from; `unread`, whenever the count changes; `po-changed`, for an order that the',
    'caller may see: at least its last version, and not again what was missed; `message-posted`, for a message that the caller may see,',
    'as a hint: read the messages. A comment line every 15 seconds.',
    '`end` tells why it ends: `token-expired`, also when its key is gone or its user has another role or vendor by a newer token, or',
    '`shutdown` of this gateway, also after 15 minutes: open it again. A client that does not read is cut off.',
    'A user may have 5 open at a time.',
  ].join('\n'),
  method: 'GET',
  path: '/notifications/stream',
  query: StreamParameters,
  refusals: ['TOO_MANY_STREAMS'],
  reply: { media: ['text/event-stream'] },
});
