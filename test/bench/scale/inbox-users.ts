import type { Actor } from '@po/contracts';
import { inboxOf } from '@po/notifications/dist/inbox/inbox.js';
import type pg from 'pg';

/** No order is theirs, so that nothing else is told to them. */
const VENDOR_CODE = 'BENCH-INBOX';

/** A user whose inbox is measured. */
export interface InboxUser {
  actor: Actor;
  unread: number;
}

/** Gives a new user so many unread notifications, in the shape in which the service writes them. */
export async function makeInboxUser(notifications: pg.Pool, unread: number): Promise<InboxUser> {
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

/** Takes every mark of all back: the next one finds as much unread as the first. */
export async function unmark(notifications: pg.Pool, { actor }: InboxUser): Promise<void> {
  await notifications.query('DELETE FROM watermarks WHERE user_id = $1', [actor.sub]);
  await notifications.query('UPDATE inboxes SET read_to = 0, unread = total WHERE user_id = $1', [actor.sub]);
}
