import { Injectable } from '@nestjs/common';
import type { UserDeleted, UserSeen } from '@po/contracts';
import { DELETED_ROLE, Database, type Statement, isNewer } from '@po/database';
import { isAddress } from '../smtp-settings.js';
import type { QueuedNotification } from './queued-notification.js';

const SEE: Statement = {
  name: 'recipient-see',
  text: `
    INSERT INTO recipients AS r (user_id, role, vendor_code, seen_at, issued_at, email, email_at, changed_at)
    VALUES ($1, $2, $3, $4, $5, $6, $4, '-infinity')
        ON CONFLICT (user_id) DO UPDATE
       SET role = excluded.role, vendor_code = excluded.vendor_code, seen_at = GREATEST(r.seen_at, excluded.seen_at),
           issued_at = excluded.issued_at, email = excluded.email, email_at = GREATEST(r.seen_at, excluded.seen_at),
           changed_at = CASE WHEN (r.role, r.vendor_code) IS DISTINCT FROM (excluded.role, excluded.vendor_code)
                             THEN GREATEST(r.seen_at, excluded.seen_at) ELSE r.changed_at END
     WHERE ${isNewer('r')}`,
};
const SEE_DELETED: Statement = {
  name: 'recipient-deleted',
  text: `
    INSERT INTO recipients AS r (user_id, role, seen_at, changed_at) VALUES ($1, '${DELETED_ROLE}', $2, $2)
        ON CONFLICT (user_id) DO UPDATE
       SET role = excluded.role, vendor_code = NULL, seen_at = excluded.seen_at, issued_at = NULL, email = NULL,
           changed_at = excluded.changed_at
     WHERE r.seen_at <= excluded.seen_at`,
};
const DROP_EARLIER: Statement = {
  name: 'entries-drop',
  text: `UPDATE entries SET content = NULL
          WHERE user_id = $1 AND content IS NOT NULL
            AND created_at <= (SELECT changed_at FROM recipients WHERE user_id = $1)`,
};
const ADDRESS: Statement = {
  name: 'recipient-address',
  text: 'SELECT email FROM recipients WHERE user_id = $1 AND email_at > $2',
};

/** The newest known address of a notification's user, who may have corrected it since; null if that is none. */
export async function addressOf(database: Database, notification: QueuedNotification): Promise<string | null> {
  const [newer] = await database.read<{ email: string | null }>(null, ADDRESS, [
    notification.userId,
    notification.createdAt,
  ]);
  const { email } = newer ?? notification;
  return email !== null && isAddress(email) ? email : null;
}

/** Tracks addresses, roles and vendors of users and drops waiting notifications from before a change of role or vendor. */
@Injectable()
export class UserDirectory {
  constructor(private readonly database: Database) {}

  /** Stores a newer description of a user. Ignores an older or repeated one. */
  async seen({ sub, role, vendorCode, email, seenAt, issuedAt }: UserSeen): Promise<void> {
    await this.take(sub, SEE, [sub, role, vendorCode, seenAt, issuedAt, email]);
  }

  async deleted({ sub, deletedAt }: UserDeleted): Promise<void> {
    await this.take(sub, SEE_DELETED, [sub, deletedAt]);
  }

  private async take(userId: string, statement: Statement, values: unknown[]): Promise<void> {
    await this.database.transaction(null, async (send) => {
      await send(statement, values);
      await send(DROP_EARLIER, [userId]);
    });
  }
}
