import { Injectable } from '@nestjs/common';
import type {
  Actor,
  Notification,
  NotificationsQuery,
  NotificationsSince,
  NotificationsSinceQuery,
  UnreadCount,
} from '@po/contracts';
import type { Statement } from '@po/database';
import { type Reply, ok } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { inboxOf, isNotificationId } from './inbox.js';
import { type StoredNotification, type NotificationContent, notificationView } from './notification.view.js';

// Without COALESCE, behind which row-level security lets no index be used: an inbox with notifications has its row.
const UNREAD = `n.read_at IS NULL AND n.seq > (SELECT i.read_to FROM inboxes i WHERE i.user_id = $1 AND i.audience = $2)`;

// What is on the page comes first: what each of its rows is joined with must not depend on how many rows the inbox is thought to have.
const page = (name: string, { filter, order }: { filter: string; order: 'ASC' | 'DESC' }): Statement => ({
  name,
  text: `
    SELECT n.seq, n.id, n.created_at AS "createdAt", LEAST(n.read_at, marked.at) AS "readAt", t.history_id AS "historyId",
           t.po_ref AS "poRef", t.po_number AS "poNumber", t.vendor, t.action, t.from_status_id AS "fromStatusId",
           t.to_status_id AS "toStatusId", t.to_status AS "toStatus", t.to_status_zh AS "toStatusZh",
           t.status_color AS "statusColor", t.comment, t.actor_name AS "actorName", t.actor_role AS "actorRole"
      FROM (SELECT n.id, n.seq, n.history_id, n.created_at, n.read_at FROM notifications n
             WHERE n.user_id = $1 AND n.audience = $2 AND ${filter}
             ORDER BY n.seq ${order} LIMIT $4) n
      JOIN transitions t ON t.history_id = n.history_id
      LEFT JOIN LATERAL (SELECT w.at FROM watermarks w
                          WHERE w.user_id = $1 AND w.audience = $2 AND w.seq >= n.seq
                          ORDER BY w.seq, w.at LIMIT 1) marked ON true
     ORDER BY n.seq ${order}`,
});

const BEFORE = `n.seq < CASE WHEN $3::uuid IS NULL THEN 2147483647
                             ELSE (SELECT b.seq FROM notifications b WHERE b.id = $3 AND b.user_id = $1 AND b.audience = $2) END`;

export const PAGE = page('inbox-page', { filter: BEFORE, order: 'DESC' });
export const UNREAD_PAGE = page('inbox-unread-page', { filter: `${UNREAD} AND ${BEFORE}`, order: 'DESC' });
export const SINCE = page('inbox-since', { filter: 'n.seq > $3', order: 'ASC' });

/** Kept by triggers, so that it costs the same however much an inbox holds. */
interface Counts {
  total: number;
  unread: number;
}
export const COUNTS: Statement = {
  name: 'inbox-counts',
  text: 'SELECT total, unread FROM inboxes WHERE user_id = $1 AND audience = $2',
};
const NOTHING: Counts = { total: 0, unread: 0 };

/** Who is further behind reads the inbox instead. */
const MAX_BEHIND = 1_000;

/** `last`: the user's latest number; of the notification that was named `seq` and how many came after it, null if it is none of this inbox. */
interface Place {
  last: number;
  seq: number | null;
  behind: number;
}
export const PLACE: Statement = {
  name: 'inbox-place',
  text: `
    SELECT COALESCE((SELECT u.last_seq FROM users u WHERE u.user_id = $1), 0) AS last, b.seq,
           (SELECT count(*)::integer
              FROM (SELECT 1 FROM notifications n WHERE n.user_id = $1 AND n.audience = $2 AND n.seq > b.seq
                     ORDER BY n.seq LIMIT ${MAX_BEHIND + 1}) later) AS behind
      FROM (SELECT 1) one LEFT JOIN notifications b ON b.id = $3::uuid AND b.user_id = $1 AND b.audience = $2`,
};

type Numbered = NotificationContent & StoredNotification & { seq: number };

/** The number to read from; null: there is no such place, or it is too far behind. */
function placeOf(after: NotificationsSinceQuery['after'], { last, seq, behind }: Place): number | null {
  if (after === null) return last;
  // Above the last one: from before the database was restored to an earlier time.
  if (typeof after === 'number') return after <= last ? after : null;
  return behind <= MAX_BEHIND ? seq : null;
}

/** What users read of their own inbox. */
@Injectable()
export class NotificationsQueries {
  constructor(private readonly databases: Databases) {}

  /**
   * Newest first. X-Total-Count counts what the `unread` filter lets through, over all pages; X-Unread-Count all that is unread.
   * A `before` that is no notification of this inbox has nothing older than it.
   */
  async list(actor: Actor, { limit, before, unread = false }: NotificationsQuery): Promise<Reply<Notification[]>> {
    const { userId, audience, scope } = inboxOf(actor);
    return this.databases.user.readAll(scope, async (read) => {
      const counting = read<Counts>(COUNTS, [userId, audience]);
      const rows =
        before === undefined || isNotificationId(before)
          ? await read<NotificationContent & StoredNotification>(unread ? UNREAD_PAGE : PAGE, [
              userId,
              audience,
              before ?? null,
              limit,
            ])
          : [];
      const [counts = NOTHING] = await counting;
      return ok(
        rows.map((row) => notificationView(row, row)),
        { 'x-total-count': String(unread ? counts.unread : counts.total), 'x-unread-count': String(counts.unread) },
      );
    });
  }

  /**
   * What came after a place in the inbox, oldest first, all of it of one moment. Numbers follow commits: whoever asks on from `at`
   * misses nothing and gets nothing twice.
   */
  async since(actor: Actor, { after, limit }: NotificationsSinceQuery): Promise<Reply<NotificationsSince>> {
    const { userId, audience, scope } = inboxOf(actor);
    return this.databases.user.readAll(scope, async (read) => {
      const named = typeof after === 'string' && isNotificationId(after) ? after : null;
      const page = (from: number) => read<Numbered>(SINCE, [userId, audience, from, limit]);
      const counting = read<Counts>(COUNTS, [userId, audience]);
      const placing = read<Place>(PLACE, [userId, audience, named]);
      // Mostly the place is known: then all statements leave together.
      const ahead = typeof after === 'number' ? page(after) : null;
      const [place = { last: 0, seq: null, behind: 0 }] = await placing;
      const from = placeOf(after, place);
      const rows = from === null || after === null ? [] : await (ahead ?? page(from));
      const [{ unread } = NOTHING] = await counting;
      return ok({
        items: rows.map((row) => ({ number: row.seq, notification: notificationView(row, row) })),
        at: rows.at(-1)?.seq ?? from ?? place.last,
        more: rows.length === limit,
        unread,
        reset: from === null,
      });
    });
  }

  /** `{ unreadNotifications }`. */
  async unreadCount(actor: Actor): Promise<Reply<UnreadCount>> {
    const { userId, audience, scope } = inboxOf(actor);
    const [counts = NOTHING] = await this.databases.user.read<Counts>(scope, COUNTS, [userId, audience]);
    return ok({ unreadNotifications: counts.unread });
  }
}
