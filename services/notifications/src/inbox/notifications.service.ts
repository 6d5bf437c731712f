import { Injectable } from '@nestjs/common';
import { type MarkRead, type MarkedRead, ProblemError } from '@po/contracts';
import type { Send } from '@po/database';
import { type Reply, ok } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { type WriteContext, writeOnce } from '../store/write-once.js';
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
   * outside the caller's inbox, or the errors of `writeOnce`.
   */
  async markRead({ id }: MarkRead, context: WriteContext): Promise<Reply<MarkedRead>> {
    const inbox = inboxOf(context.actor);
    const reply = await writeOnce(this.databases, context, null, async (send) => {
      if (id === 'all') await markAll(send, inbox, context.commandId);
      else if (!isNotificationId(id) || !(await markOne(send, inbox, id)))
        throw new ProblemError('NOTIFICATION_NOT_FOUND');
      return ok({ success: true as const });
    });
    this.signals.signal([inbox.userId]);
    return reply;
  }
}

async function markOne(send: Send, { userId, audience }: Inbox, id: string): Promise<boolean> {
  const [marked] = await send(
    `UPDATE notifications SET read_at = COALESCE(read_at, clock_timestamp())
      WHERE id = $1 AND user_id = $2 AND audience = $3 RETURNING id`,
    [id, userId, audience],
  );
  return marked !== undefined;
}

// last_seq needs no lock: it changes in the transaction that adds the notifications, under the user's row lock, so a committed last_seq
// covers exactly the committed notifications. A command that is redelivered after its key has expired marks nothing.
async function markAll(send: Send, { userId, audience }: Inbox, commandId: string): Promise<void> {
  await send(
    `INSERT INTO watermarks (user_id, command_id, audience, seq, at)
     VALUES ($1, $2, $3, COALESCE((SELECT last_seq FROM users WHERE user_id = $1), 0), clock_timestamp())
     ON CONFLICT (user_id, command_id) DO NOTHING`,
    [userId, commandId, audience],
  );
}
