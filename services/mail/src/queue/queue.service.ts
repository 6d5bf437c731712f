import { Injectable } from '@nestjs/common';
import { NOTIFICATION_KINDS } from '@po/contracts';
import { Database, type Statement } from '@po/database';
import { GroupCommit } from '@po/messaging';
import { isAddress } from '../smtp-settings.js';
import type { QueuedNotification } from './queued-notification.js';
import { digestDue } from './zoned-time.js';

const MAX_BATCH = 64;
/** Minimum milliseconds between batches. Applies only under load: an import of a thousand orders becomes a few transactions. */
const MIN_INTERVAL_MS = 20;
const KINDS: readonly string[] = NOTIFICATION_KINDS;
const MODES = ['now', 'digest'];

// Sorted, because two processes that briefly have the same partition would deadlock otherwise. DO UPDATE locks the mail: a replica that
// closes it waits for this transaction, and after an earlier close this one opens another mail. A digest is due at the earliest time that
// its user has chosen since it was opened.
const ADD: Statement = {
  name: 'queue-add',
  text: `
    WITH fresh AS (
      SELECT e.* FROM json_to_recordset($1::json)
                   AS e(id text, "userId" text, mode text, "dueAt" timestamptz, "createdAt" timestamptz, content json)
       WHERE NOT EXISTS (SELECT 1 FROM entries k WHERE k.notification_id = e.id)
         AND NOT EXISTS (SELECT 1 FROM recipients r WHERE r.user_id = e."userId" AND r.changed_at >= e."createdAt")
    ), opened AS (
      INSERT INTO mails AS m (user_id, mode, due_at, first_due_at)
      SELECT "userId", mode, min("dueAt"), min("dueAt") FROM fresh GROUP BY "userId", mode ORDER BY "userId", mode
          ON CONFLICT (user_id, mode) WHERE open
          DO UPDATE SET due_at = LEAST(m.due_at, excluded.due_at), first_due_at = LEAST(m.first_due_at, excluded.first_due_at)
      RETURNING m.id, m.user_id, m.mode
    )
    INSERT INTO entries (notification_id, mail_id, user_id, created_at, content)
    SELECT f.id, o.id, f."userId", f."createdAt", f.content
      FROM fresh f JOIN opened o ON o.user_id = f."userId" AND o.mode = f.mode
     ORDER BY f.id
        ON CONFLICT DO NOTHING`,
};

/** How long a mail collects notifications; null if no mails are sent. */
export class Grouping {
  constructor(readonly seconds: number | null) {}
}

/** Stores notifications until their mail is due. */
@Injectable()
export class QueueService {
  private readonly commits = new GroupCommit<QueuedNotification>((notifications) => this.store(notifications), {
    maxItems: MAX_BATCH,
    minIntervalMs: MIN_INTERVAL_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly grouping: Grouping,
  ) {}

  /** Queues a notification for its user's next mail, if the user wants one. Ignores a notification whose id is known. */
  async add(notification: QueuedNotification): Promise<void> {
    const { email, kind, delivery } = notification;
    if (this.grouping.seconds === null || !delivery || !MODES.includes(delivery.mail)) return;
    // For a kind of a newer version, neither its text nor its unsubscription is known.
    if (!KINDS.includes(kind)) return;
    if (email === null || !isAddress(email)) return;
    await this.commits.add(notification);
  }

  private async store(notifications: readonly QueuedNotification[]): Promise<void> {
    const byId = new Map(notifications.map((notification) => [notification.id, notification]));
    const rows = Array.from(byId.values(), (content) => ({
      id: content.id,
      userId: content.userId,
      mode: content.delivery?.mail,
      dueAt: this.dueAt(content),
      createdAt: content.createdAt,
      content,
    }));
    await this.database.transaction(null, (send) => send(ADD, [JSON.stringify(rows)]));
  }

  private dueAt({ delivery }: QueuedNotification): Date {
    const now = new Date();
    if (delivery?.mail === 'digest') return digestDue(delivery.digestAt, delivery.timeZone, now);
    return new Date(now.getTime() + (this.grouping.seconds ?? 0) * 1_000);
  }
}
