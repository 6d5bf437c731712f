import { randomUUID } from 'node:crypto';
import { inboxOf } from '@po/notifications/dist/inbox/inbox.js';
import { InboxSignals } from '@po/notifications/dist/inbox/inbox-signals.js';
import { NotificationsQueries } from '@po/notifications/dist/inbox/notifications.queries.js';
import { NotificationsService } from '@po/notifications/dist/inbox/notifications.service.js';
import { Databases } from '@po/notifications/dist/store/databases.js';
import type { Actor } from '@po/contracts';
import { createLogger } from '@po/platform';
import type pg from 'pg';
import { asRole } from '@po/testing/service-databases';
import { progress } from '../lifetime.js';
import { type Measurement, type RequestRow, type ScaleContext, measureRequests } from './context.js';

/** Without orders, so that its users get no other notifications. */
const VENDOR_CODE = 'BENCH-INBOX';

/** Unread notifications of each user. */
const UNREAD = [50, 50_000];
/** Of a page. */
const LIMIT = 50;

/** Reads and marks of a small inbox and of a large one. */
export async function measureInboxes(context: ScaleContext): Promise<RequestRow[]> {
  const { stack } = context;
  progress('fill inboxes');
  const users: InboxUser[] = [];
  for (const unread of UNREAD) users.push(await makeInboxUser(stack.notifications, unread));
  await stack.notifications.query('VACUUM ANALYZE');
  const url = stack.file.databaseUrls.notifications;
  const urls = { internalUrl: asRole(url, 'notifications_internal'), userUrl: asRole(url, 'notifications_user') };
  const databases = new Databases({ ...urls, poolSize: 1, logger: createLogger('bench', 'warn') });
  await databases.connect();
  try {
    const rows: RequestRow[] = [];
    for (const user of users) {
      const token = await stack.vendorToken(VENDOR_CODE, user.actor.sub);
      rows.push(...(await measureRequests(context, measurementsOf(databases, stack.notifications, user, token))));
    }
    return rows;
  } finally {
    await databases.close();
  }
}

/** Requests of one user; the SQL is that of the service's own classes. */
function measurementsOf(databases: Databases, notifications: pg.Pool, user: InboxUser, token: string): Measurement[] {
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

/** A user whose inbox is measured. */
interface InboxUser {
  actor: Actor;
  unread: number;
}

/** Inserts a user with so many unread notifications, as the service writes them. */
async function makeInboxUser(notifications: pg.Pool, unread: number): Promise<InboxUser> {
  const sub = `bench-inbox-${unread}`;
  const actor: Actor = { sub, email: null, name: sub, role: 'VENDOR', vendorCode: VENDOR_CODE, locale: 'en' };
  await notifications.query(
    `INSERT INTO users (user_id, role, vendor_code, email, locale, seen_at, last_seq) VALUES ($1, $2, $3, $4, $5, now(), $6)`,
    [sub, actor.role, actor.vendorCode, actor.email, actor.locale, unread],
  );
  await notifications.query(
    `INSERT INTO transitions (history_id, po_ref, po_number, vendor_code, vendor, action, from_status_id, to_status_id, to_status,
                              to_status_zh, status_color, actor_role, occurred_at, to_vendor, to_buyers)
     SELECT $1 || n, 'PO-' || n, 'PO-' || n, $2, 'Bench', 'APPROVE', 200, 300, 'Confirmed', '已确认', '#15803D', 'BUYER', now(),
            true, 'own' FROM generate_series(1, $3::integer) n`,
    [`${sub}-`, VENDOR_CODE, unread],
  );
  await notifications.query(
    `INSERT INTO notifications (user_id, audience, seq, history_id, created_at)
     SELECT $1, $2, n, $3 || n, now() FROM generate_series(1, $4::integer) n`,
    [sub, inboxOf(actor).audience, `${sub}-`, unread],
  );
  return { actor, unread };
}

/** Makes all unread again. */
async function unmark(notifications: pg.Pool, { actor }: InboxUser): Promise<void> {
  await notifications.query('DELETE FROM watermarks WHERE user_id = $1', [actor.sub]);
  await notifications.query('UPDATE inboxes SET read_to = 0, unread = total WHERE user_id = $1', [actor.sub]);
}
