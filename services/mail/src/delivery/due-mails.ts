import type { Database, Send, Statement } from '@po/database';
import type { Waiting } from '../queue/waiting.js';
import { type Outcome, countEnded } from './metrics.js';

/** Longer than a round (`ROUND_MS`) and its last attempt (`ATTEMPT_MS`) take: a replica that died with a mail in hand delays it for so long. */
const LEASE_MINUTES = 12;
const MINUTES_BETWEEN = [1, 5, 15, 60];
const GIVE_UP_HOURS = 48;
/** Contents of one mail that are read, more than it shows, and that one statement clears: a digest may have a notification of every order. */
const MAX_CONTENTS = 1_000;

// An attempt is written before it is made: due_at is the lease while the mail is in hand, and then the next attempt.
// Attempts are counted, so that a lease which another replica took meanwhile is left alone.
const TAKE: Statement = {
  name: 'mails-take',
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
    SELECT notification_id AS id, content ->> 'poRef' AS "poRef",
           CASE WHEN row_number() OVER (ORDER BY content IS NULL, created_at DESC, notification_id DESC) <= ${MAX_CONTENTS} THEN content END AS content
      FROM entries WHERE mail_id = $1 ORDER BY created_at, notification_id`,
};
const DELAY: Statement = {
  name: 'mail-delay',
  text: `UPDATE mails SET due_at = now() + $3 * interval '1 minute', first_failed_at = COALESCE(first_failed_at, now())
          WHERE id = $1 AND attempts = $2 AND done_at IS NULL
         RETURNING first_failed_at <= now() - interval '${GIVE_UP_HOURS} hours' AS last`,
};
const GIVE_BACK: Statement = {
  name: 'mail-give-back',
  text: `UPDATE mails SET due_at = now(), attempts = attempts - 1 WHERE id = $1 AND attempts = $2 AND done_at IS NULL`,
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
  /** The one to be made included. */
  attempts: number;
}

/** A notification of a mail; its order and content are gone if its user may not see it any more. */
export interface Entry {
  id: string;
  poRef: string | null;
  /** Of the newest ones alone. */
  content: Waiting | null;
}

/** Takes mails that are due, each for this replica alone; they take no more notifications from then on. */
export const takeDue = (database: Database, most: number): Promise<DueMail[]> =>
  database.transaction(null, (send) => send<DueMail>(TAKE, [most]));

/** The notifications in mails that were taken which their users might see. A statement of its own: what TAKE waited for, it does not see. */
export async function notificationsIn(database: Database, mails: readonly DueMail[]): Promise<string[]> {
  const rows = await database.read<{ id: string }>(null, NOTIFICATIONS, [mails.map(({ id }) => id)]);
  return rows.map(({ id }) => id);
}

/** Its notifications, oldest first. */
export const entriesOf = (database: Database, { id }: DueMail): Promise<Entry[]> =>
  database.read<Entry>(null, ENTRIES, [id]);

/** After an attempt that failed: answers whether it was the last one. */
export async function delayMail(database: Database, { id, attempts }: DueMail): Promise<boolean> {
  const minutes = MINUTES_BETWEEN[attempts - 1] ?? MINUTES_BETWEEN.at(-1);
  const [delayed] = await database.transaction(null, (send) => send<{ last: boolean }>(DELAY, [id, attempts, minutes]));
  return delayed?.last ?? false;
}

/** A mail that was taken and not tried: it is due again at once, for any replica. */
export async function giveBack(database: Database, { id, attempts }: DueMail): Promise<void> {
  await database.transaction(null, (send) => send(GIVE_BACK, [id, attempts]));
}

/** Ends a mail, with what else is stored of it; nothing of its content is kept. */
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
