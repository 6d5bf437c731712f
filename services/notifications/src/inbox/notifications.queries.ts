import { Injectable } from '@nestjs/common';
import type {
  Actor,
  Notification,
  NotificationsQuery,
  NotificationsSince,
  NotificationsSinceQuery,
  ReadMark,
  ReadMarksQuery,
  UnreadCount,
} from '@po/contracts';
import { type Reply, ok } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { inboxOf, isNotificationId } from './inbox.js';
import { type StoredNotification, type NotificationContent, notificationView } from './notification.view.js';
import {
  COUNTS,
  type Counts,
  KINDS_COUNT,
  KINDS_PAGE,
  MAX_BEHIND,
  PAGE,
  POSITION,
  type InboxPosition,
  READ_MARKS,
  SINCE,
  UNREAD_KINDS_COUNT,
  UNREAD_KINDS_PAGE,
  UNREAD_PAGE,
} from './statements.js';

const NOTHING: Counts = { total: 0, unread: 0 };

type Row = NotificationContent & StoredNotification & { seq: number };

/** Number to read from; null if the position is unknown or too far behind. */
function startOf(after: NotificationsSinceQuery['after'], { last, seq, behind }: InboxPosition): number | null {
  if (after === null) return last;
  // A number above the last one is from before the database was restored to an earlier time.
  if (typeof after === 'number') return after <= last ? after : null;
  return behind <= MAX_BEHIND ? seq : null;
}

/** Queries of users for their own inbox, and of the mail service for read marks. */
@Injectable()
export class NotificationsQueries {
  constructor(private readonly databases: Databases) {}

  /**
   * Newest first. X-Total-Count counts the matches of the filters on all pages, X-Unread-Count all unread notifications. The page is empty
   * for a `before` that is not in this inbox.
   */
  async list(
    actor: Actor,
    { limit, before, unread = false, kind }: NotificationsQuery,
  ): Promise<Reply<Notification[]>> {
    const { userId, audience, scope } = inboxOf(actor);
    return this.databases.user.readAll(scope, async (read) => {
      const counting = read<Counts>(COUNTS, [userId, audience]);
      const countingKinds =
        kind && read<Pick<Counts, 'total'>>(unread ? UNREAD_KINDS_COUNT : KINDS_COUNT, [userId, audience, kind]);
      const values = [userId, audience, before ?? null, limit];
      const page = () =>
        kind
          ? read<Row>(unread ? UNREAD_KINDS_PAGE : KINDS_PAGE, [...values, kind])
          : read<Row>(unread ? UNREAD_PAGE : PAGE, values);
      const rows = before === undefined || isNotificationId(before) ? await page() : [];
      const [counts = NOTHING] = await counting;
      const [filtered] = (await countingKinds) ?? [];
      const { total } = filtered ?? { total: unread ? counts.unread : counts.total };
      return ok(
        rows.map((row) => notificationView(row, row)),
        { 'x-total-count': String(total), 'x-unread-count': String(counts.unread) },
      );
    });
  }

  /**
   * Notifications after a position in the inbox, oldest first, from a single snapshot. Numbers follow the commit order: a client that
   * continues from `at` gets each notification exactly once.
   */
  async since(actor: Actor, { after, limit }: NotificationsSinceQuery): Promise<Reply<NotificationsSince>> {
    const { userId, audience, scope } = inboxOf(actor);
    return this.databases.user.readAll(scope, async (read) => {
      const named = typeof after === 'string' && isNotificationId(after) ? after : null;
      const page = (from: number) => read<Row>(SINCE, [userId, audience, from, limit]);
      const counting = read<Counts>(COUNTS, [userId, audience]);
      const locating = read<InboxPosition>(POSITION, [userId, audience, named]);
      // The position is usually a number: then all statements are sent together.
      const ahead = typeof after === 'number' ? page(after) : null;
      const [position = { last: 0, seq: null, behind: 0 }] = await locating;
      const from = startOf(after, position);
      const rows = from === null || after === null ? [] : await (ahead ?? page(from));
      const [{ unread } = NOTHING] = await counting;
      const more = rows.length === limit;
      return ok({
        items: rows.map((row) => ({ number: row.seq, notification: notificationView(row, row) })),
        // Numbers of other audiences and of deleted notifications leave gaps. Without `more`, the position is the last number.
        at: (more ? rows.at(-1)?.seq : null) ?? position.last,
        more,
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

  /** Whether the user has read each notification. Omits those that the user may not see or gets no mail about. */
  async readMarks({ ids }: ReadMarksQuery): Promise<Reply<ReadMark[]>> {
    return ok(await this.databases.internal.read<ReadMark>(null, READ_MARKS, [ids.filter(isNotificationId)]));
  }
}
