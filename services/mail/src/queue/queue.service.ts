import { Injectable } from '@nestjs/common';
import { NOTIFICATION_KINDS } from '@po/contracts';
import { Database, type Statement } from '@po/database';
import { GroupCommit } from '@po/messaging';
import { isAddress } from '../smtp-settings.js';
import type { Waiting } from './waiting.js';
import { nextTimeOfDay } from './zoned-time.js';

const MAX_BATCH = 64;
/** Only under load: an import of a thousand orders becomes a few transactions. */
const APART_MS = 20;
const KINDS: readonly string[] = NOTIFICATION_KINDS;
const MODES = ['now', 'digest'];

// Sorted: two processes that got the same partition for a moment would deadlock otherwise. DO UPDATE locks the mail: a replica that closes
// it waits for this transaction, and one that closed it before makes this one open another. A digest is due by the earliest time that its
// user has chosen since it was opened.
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

/** How long a mail takes what comes for its user; null where no mail is sent at all. */
export class Grouping {
  constructor(readonly seconds: number | null) {}
}

/** Keeps notifications until the mail that they belong to is due. */
@Injectable()
export class QueueService {
  private readonly commits = new GroupCommit<Waiting>((notifications) => this.store(notifications), {
    largest: MAX_BATCH,
    apartMs: APART_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly grouping: Grouping,
  ) {}

  /** Queues a notification for its user's next mail, if they want one. One that is known by its id changes nothing. */
  async add(notification: Waiting): Promise<void> {
    const { email, kind, delivery } = notification;
    if (this.grouping.seconds === null || !delivery || !MODES.includes(delivery.mail)) return;
    // A kind of a newer version: nothing is known of how it reads, or how it is turned off.
    if (!KINDS.includes(kind)) return;
    if (email === null || !isAddress(email)) return;
    await this.commits.add(notification);
  }

  private async store(notifications: readonly Waiting[]): Promise<void> {
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

  private dueAt({ delivery }: Waiting): Date {
    const now = new Date();
    if (delivery?.mail === 'digest') return nextTimeOfDay(delivery.digestAt, delivery.timeZone, now);
    return new Date(now.getTime() + (this.grouping.seconds ?? 0) * 1_000);
  }
}
