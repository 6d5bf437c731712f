import { randomUUID } from 'node:crypto';
import { InboxSignals } from '@po/notifications/dist/inbox/inbox-signals.js';
import { NotificationsQueries } from '@po/notifications/dist/inbox/notifications.queries.js';
import { NotificationsService } from '@po/notifications/dist/inbox/notifications.service.js';
import { Databases } from '@po/notifications/dist/store/databases.js';
import { createLogger } from '@po/platform';
import type pg from 'pg';
import { asRole } from '@po/testing/service-databases';
import { progress } from '../lifetime.js';
import type { ScaleContext } from './context.js';
import { type InboxUser, makeInboxUser, unmark } from './inbox-users.js';
import { type Asked, type RequestRow, measureRequests } from './requests.js';

/** Unread notifications of each user. */
const UNREAD = [50, 50_000];
/** Of a page. */
const LIMIT = 50;

/** Reads and marks of a small inbox and of a large one. */
export async function measureInboxes(context: ScaleContext): Promise<RequestRow[]> {
  const { stack, settlement, vendorToken } = context;
  const { notifications } = settlement;
  progress('fill inboxes');
  const users: InboxUser[] = [];
  for (const unread of UNREAD) users.push(await makeInboxUser(notifications, unread));
  await notifications.query('VACUUM ANALYZE');
  const url = stack.databaseUrls.notifications;
  const urls = { internalUrl: asRole(url, 'notifications_internal'), userUrl: asRole(url, 'notifications_user') };
  const databases = new Databases({ ...urls, poolSize: 1, logger: createLogger('bench', 'warn') });
  await databases.connect();
  try {
    const rows: RequestRow[] = [];
    for (const user of users) {
      const token = await vendorToken(user.actor.vendorCode ?? '', user.actor.sub);
      rows.push(...(await measureRequests(context, inboxAsked(databases, notifications, user, token))));
    }
    return rows;
  } finally {
    await databases.close();
  }
}

/** What one user asks of their inbox; beside it what the service's own classes take on its database. */
function inboxAsked(databases: Databases, notifications: pg.Pool, user: InboxUser, token: string): Asked[] {
  const { actor, unread } = user;
  const of = `${unread.toLocaleString('en')} unread`;
  const queries = new NotificationsQueries(databases);
  const service = new NotificationsService(databases, new InboxSignals(() => Promise.resolve()));
  return [
    {
      name: `GET the first page, ${of}`,
      http: () => ({ method: 'GET', path: `/notifications?limit=${LIMIT}`, token }),
      sql: () => queries.list(actor, { limit: LIMIT }),
    },
    {
      name: `GET the first page of the unread, ${of}`,
      http: () => ({ method: 'GET', path: `/notifications?limit=${LIMIT}&unread=true`, token }),
      sql: () => queries.list(actor, { limit: LIMIT, unread: true }),
    },
    {
      name: `GET the unread count (/me), ${of}`,
      http: () => ({ method: 'GET', path: '/me', token }),
      sql: () => queries.unreadCount(actor),
    },
    {
      name: `PUT all as read, ${of}`,
      http: () => ({ method: 'PUT', path: '/notifications/all/read', token }),
      sql: () => service.markRead(actor, { id: 'all' }, randomUUID()),
      before: () => unmark(notifications, user),
    },
  ];
}
