import { Injectable } from '@nestjs/common';
import { type Actor, type MarkRead, type MarkedRead, ProblemError } from '@po/contracts';
import { type Reply, ok } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { FIND_DELETION, LOCK_DIRECTORY_SHARED } from '../store/directory.js';
import { type Inbox, inboxOf, isNotificationId } from './inbox.js';
import { InboxSignals } from './inbox-signals.js';

/** Changes of users to their own inbox. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly databases: Databases,
    private readonly signals: InboxSignals,
  ) {}

  /**
   * Marks one notification, or with `all` those that the user has when the key is first used. Throws NOTIFICATION_NOT_FOUND for an id
   * outside the caller's inbox.
   */
  async markRead(actor: Actor, { id }: MarkRead, key: string): Promise<Reply<MarkedRead>> {
    const inbox = inboxOf(actor);
    if (id === 'all') await this.markAll(inbox, key);
    else if (!isNotificationId(id) || !(await this.markOne(inbox, id)))
      throw new ProblemError('NOTIFICATION_NOT_FOUND');
    this.signals.signal([inbox.userId]);
    return ok({ success: true as const });
  }

  private async markOne({ userId, audience, scope }: Inbox, id: string): Promise<boolean> {
    return this.databases.user.transaction(scope, async (send) => {
      const [marked] = await send(
        `UPDATE notifications SET read_at = COALESCE(read_at, clock_timestamp())
          WHERE id = $1 AND user_id = $2 AND audience = $3 RETURNING id`,
        [id, userId, audience],
      );
      return marked !== undefined;
    });
  }

  // last_seq needs no lock: it changes in the transaction that adds the notifications, under the user's row lock, so a committed last_seq
  // covers exactly the committed notifications. The row remains as a record of its key: otherwise a repeated request would also mark later
  // notifications. LOCK_DIRECTORY_SHARED makes a deletion of the user wait for this transaction or this transaction see the deletion.
  private async markAll({ userId, audience, scope }: Inbox, key: string): Promise<void> {
    await this.databases.user.transaction(scope, (send) => {
      void send(LOCK_DIRECTORY_SHARED);
      return send(
        `INSERT INTO watermarks (user_id, command_id, audience, seq, at)
         SELECT $1, $2, $3, COALESCE((SELECT last_seq FROM users WHERE user_id = $1), 0), clock_timestamp()
          WHERE NOT EXISTS (${FIND_DELETION.text})
         ON CONFLICT (user_id, command_id) DO NOTHING`,
        [userId, key, audience],
      );
    });
  }
}
