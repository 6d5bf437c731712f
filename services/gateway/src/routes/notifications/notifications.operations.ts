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
    description: 'At most 200; `before` selects older ones.',
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
    description:
      'May be repeated. A notification that arrives after `all` was handled stays unread, also after a repetition with the same key.',
    method: 'PUT',
    path: '/notifications/:id/read',
    params: { id },
    conditions: 'key',
    pattern: PATTERNS.markRead,
    orderedBy: 'caller',
    payload: ({ params }) => params,
  }),
};

export const streamNotifications = custom({
  tag: 'Notifications',
  summary: "The caller's notifications, unread count and changed purchase orders, live as server-sent events.",
  description: [
    'Open it by `fetch` with the token header, and open it again when it breaks. First comes `unread`, then each missed `notification`',
    'since `Last-Event-ID` (or `lastEventId`; the header takes precedence), in order, without repetitions or gaps, up to 1,000. If the id',
    'is unknown in this inbox or further behind, `reset` comes instead: read the list of notifications. Then, as they occur:',
    '`notification`, with the `id` to resume from; `unread`, whenever the count changes; `po-changed`, for an order that the caller',
    'may see: at least its last version, missed ones are not repeated; `message-posted`, for a message that the caller may see,',
    'as a hint to read the messages. A comment line every 15 seconds.',
    '`end` has the reason for the end: `token-expired`, also if the key of the token was withdrawn or a newer token gave the user another',
    'role or vendor, or `shutdown` of this gateway, also after 15 minutes: open it again. A client that does not read is disconnected.',
    'A user may have 5 streams open at a time. `client`, a UUID that a client sends whenever it opens its stream, makes the new stream replace',
    'its old one, which otherwise counts for up to 15 minutes after a change of network.',
  ].join('\n'),
  method: 'GET',
  path: '/notifications/stream',
  query: StreamParameters,
  refusals: ['TOO_MANY_STREAMS'],
  reply: { media: ['text/event-stream'] },
});
