import type { NotificationKind } from '@po/contracts';
import type { Database, Send, Statement } from '@po/database';
import type { QueuedNotification } from '../queue/queued-notification.js';
import { type Outcome, countEnded } from './metrics.js';

/**
 * Longer than a round (`ROUND_MS`) plus its last attempt (`ATTEMPT_MS`) with retries in the database (`RETRY_MS`) before and after it. A mail
 * that a replica has claimed when it dies is delayed for this long.
 */
const LEASE_MINUTES = 12;
const MINUTES_BETWEEN = [1, 5, 15, 60];
const GIVE_UP_HOURS = 48;
/**
 * Maximum contents of one mail that are read, which is more than it shows, and that one statement clears: a digest may have a notification
 * of every order.
 */
const MAX_CONTENTS = 1_000;

// An attempt is stored before it is made: due_at is the end of the lease while the mail is being sent, and then the next attempt. The
// attempt number protects a lease that another replica has claimed since.
const CLAIM: Statement = {
  name: 'mails-claim',
  text: `
    UPDATE mails SET open = false, attempts = attempts + 1, due_at = now() + interval '${LEASE_MINUTES} minutes'
     WHERE id IN (SELECT id FROM mails WHERE done_at IS NULL AND due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING id, user_id AS "userId", mode, attempts`,
};
const NOTIFICATIONS: Statement = {
  name: 'mails-notifications',
  text: 'SELECT notification_id AS id FROM entries WHERE mail_id = ANY ($1) AND content IS NOT NULL',
};
const ENTRIES: Statement = {
  name: 'mail-entries',
  text: `
    SELECT id, content ->> 'poRef' AS "poRef", content ->> 'kind' AS kind,
           CASE WHEN row_number() OVER (ORDER BY content IS NULL, created_at DESC, id DESC) <= ${MAX_CONTENTS} THEN content END AS content
      FROM (SELECT notification_id AS id, created_at, CASE WHEN notification_id <> ALL ($2) THEN content END AS content
              FROM entries WHERE mail_id = $1) e
     ORDER BY created_at, id`,
};
const DELAY: Statement = {
  name: 'mail-delay',
  text: `UPDATE mails SET due_at = now() + $3 * interval '1 minute', first_failed_at = COALESCE(first_failed_at, now())
          WHERE id = $1 AND attempts = $2 AND done_at IS NULL
         RETURNING first_failed_at <= now() - interval '${GIVE_UP_HOURS} hours' AS last`,
};
// A mail that was never tried keeps its place in the queue and its age, which an alert watches. The due time of another one is lost by then.
const RELEASE: Statement = {
  name: 'mail-release',
  text: `UPDATE mails SET due_at = CASE WHEN attempts = 1 THEN LEAST(first_due_at, now()) ELSE now() END, attempts = attempts - 1
          WHERE id = $1 AND attempts = $2 AND done_at IS NULL`,
};
const END: Statement = {
  name: 'mail-end',
  text: `UPDATE mails SET done_at = now(), open = false, outcome = $2 WHERE id = $1 AND done_at IS NULL`,
};
const CLEAR: Statement = {
  name: 'mail-clear',
  text: `UPDATE entries SET content = NULL
          WHERE notification_id IN (SELECT notification_id FROM entries WHERE mail_id = $1 AND content IS NOT NULL LIMIT ${MAX_CONTENTS})
         RETURNING 1`,
};

export interface DueMail {
  id: string;
  userId: string;
  mode: 'now' | 'digest';
  /** Including the next attempt. */
  attempts: number;
}

/** A notification of a mail. Its order, kind and content are null if its user may no longer see it, or wants no mail about it. */
export interface Entry {
  id: string;
  poRef: string | null;
  kind: NotificationKind | null;
  /** Only for the newest notifications. */
  content: QueuedNotification | null;
}

/** Leases due mails exclusively to this replica and closes them for further notifications. */
export const claimDueMails = (database: Database, limit: number): Promise<DueMail[]> =>
  database.transaction(null, (send) => send<DueMail>(CLAIM, [limit]));

/**
 * Ids of the notifications in claimed mails that still have content. A separate statement, because CLAIM does not see the changes it waited
 * for.
 */
export async function notificationsIn(database: Database, mails: readonly DueMail[]): Promise<string[]> {
  const rows = await database.read<{ id: string }>(null, NOTIFICATIONS, [mails.map(({ id }) => id)]);
  return rows.map(({ id }) => id);
}

/** Notifications of a mail, oldest first. `hidden`: ids of those that the mail must not show. */
export const entriesOf = (database: Database, { id }: DueMail, hidden: readonly string[]): Promise<Entry[]> =>
  database.read<Entry>(null, ENTRIES, [id, hidden]);

/** Schedules the next attempt after a failure. Returns whether the failed one was the last. */
export async function delayMail(database: Database, { id, attempts }: DueMail): Promise<boolean> {
  const minutes = MINUTES_BETWEEN[attempts - 1] ?? MINUTES_BETWEEN.at(-1);
  const [delayed] = await database.transaction(null, (send) => send<{ last: boolean }>(DELAY, [id, attempts, minutes]));
  return delayed?.last ?? false;
}

/** Releases a mail that was claimed but not tried: it is due again immediately, for any replica. */
export async function releaseMail(database: Database, { id, attempts }: DueMail): Promise<void> {
  await database.transaction(null, (send) => send(RELEASE, [id, attempts]));
}

/** Stores the outcome of a mail and deletes its content. `also` stores related data in the same transaction. */
export async function endMail(
  database: Database,
  { id }: DueMail,
  outcome: Outcome,
  also: (send: Send) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await database.transaction(null, async (send) => {
    await send(END, [id, outcome]);
    while ((await send(CLEAR, [id])).length === MAX_CONTENTS);
    await also(send);
  });
  countEnded(outcome);
}
