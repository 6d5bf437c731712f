import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, TOPICS, type UserDeleted } from '@po/contracts';
import { DELETED_ROLE, type Send } from '@po/database';
import { INSERT_OUTBOX_ENTRIES, type OutboxEntry, cloudEventHeaders, serializeOutboxEntries } from '@po/messaging';
import { LOCK_DIRECTORY } from '../store/locks.js';

interface Deletion {
  deletedAt: Date;
}

/**
 * Time limit of each statement of a deletion. On a busy server 300,000 notifications took 4 s, close to the usual limit of 5 s; in batches
 * of one transaction they took 30 s.
 */
export const DELETION_STATEMENT_MS = 30_000;

const NOTHING_KNOWN = `role = '${DELETED_ROLE}', vendor_code = NULL, email = NULL, locale = NULL, issued_at = NULL`;

// Not before the user was last seen: earlier announcements must count as older, even from a gateway whose clock is ahead.
const MARK_DELETED = `
  UPDATE users SET ${NOTHING_KNOWN}, seen_at = d.at, deleted_at = d.at
    FROM (SELECT user_id, GREATEST(clock_timestamp()::timestamptz(3), seen_at) AS at FROM users WHERE user_id = $1) d
   WHERE users.user_id = d.user_id AND role <> '${DELETED_ROLE}'
  RETURNING deleted_at AS "deletedAt"`;

// A directory record may arrive late, repeatedly or out of order: the later instant wins.
const MARK_DELETED_AT = `
  INSERT INTO users AS u (user_id, role, seen_at, deleted_at) VALUES ($1, '${DELETED_ROLE}', $2, $2)
      ON CONFLICT (user_id) DO UPDATE SET deleted_at = excluded.deleted_at
   WHERE u.deleted_at IS NULL OR u.deleted_at < excluded.deleted_at
  RETURNING u.deleted_at AS "deletedAt"`;
const CLEAR_OLDER = `
  UPDATE users SET ${NOTHING_KNOWN}, seen_at = deleted_at WHERE user_id = $1 AND seen_at <= deleted_at`;

const DELETE_NOTIFICATIONS = `
  DELETE FROM notifications n USING transitions t, users u
   WHERE n.user_id = $1 AND t.history_id = n.history_id AND u.user_id = n.user_id
     AND (u.role = '${DELETED_ROLE}' OR t.occurred_at <= u.deleted_at)`;
const DELETE_MARKS =
  'DELETE FROM watermarks w USING users u WHERE w.user_id = $1 AND u.user_id = $1 AND w.at <= u.deleted_at';
const DELETE_PREFERENCES =
  'DELETE FROM preferences p USING users u WHERE p.user_id = $1 AND u.user_id = $1 AND p.updated_at <= u.deleted_at';
const DELETE_VIEWS =
  'DELETE FROM views v USING users u WHERE v.owner_id = $1 AND u.user_id = $1 AND v.created_at <= u.deleted_at';
const DELETE_VIEW_COMMANDS =
  'DELETE FROM view_commands c USING users u WHERE c.user_id = $1 AND u.user_id = $1 AND c.created_at <= u.deleted_at';
const DELETE_AUTHORSHIP =
  'DELETE FROM message_authors a USING users u WHERE a.user_id = $1 AND u.user_id = $1 AND a.last_at <= u.deleted_at';
// Runs after the trigger that counts the deletions. Notifications since the user's return are counted in the same row.
const DELETE_EMPTY_INBOXES = 'DELETE FROM inboxes WHERE user_id = $1 AND total = 0';

// Entries that the relay is sending right now are published nevertheless: they count as sent before the deletion. Skips rows that the relay
// is deleting.
const DELETE_UNSENT = `
  DELETE FROM outbox WHERE position IN (
    SELECT position FROM outbox o
     WHERE EXISTS (SELECT 1 FROM json_array_elements(o.messages) m
                    WHERE m ->> 'topic' = '${TOPICS.notifications}' AND (m ->> 'value')::json ->> 'userId' = $1)
       FOR UPDATE SKIP LOCKED)`;

/**
 * Deletes all data about a user except the fact of the deletion, and announces the deletion. The directory must be locked. Changes nothing
 * for a user who is already deleted.
 */
export async function deleteUser(send: Send, userId: string, traceparent: string): Promise<void> {
  const [deletion] = await send<Deletion>(MARK_DELETED, [userId]);
  if (!deletion) return;
  await deleteOwned(send, userId);
  await send(DELETE_UNSENT, [userId]);
  await send(INSERT_OUTBOX_ENTRIES, [serializeOutboxEntries(announcements(userId, deletion, traceparent))]);
}

/** Does the same for a deletion from the directory's topic. Keeps what the user got since a later return. */
export async function applyDeletion(send: Send, { sub, deletedAt }: UserDeleted): Promise<void> {
  await send(LOCK_DIRECTORY);
  const [newer] = await send(MARK_DELETED_AT, [sub, deletedAt]);
  if (!newer) return;
  await send(CLEAR_OLDER, [sub]);
  await deleteOwned(send, sub);
}

async function deleteOwned(send: Send, userId: string): Promise<void> {
  await send(DELETE_NOTIFICATIONS, [userId]);
  await send(DELETE_EMPTY_INBOXES, [userId]);
  await send(DELETE_MARKS, [userId]);
  await send(DELETE_PREFERENCES, [userId]);
  await send(DELETE_VIEWS, [userId]);
  await send(DELETE_VIEW_COMMANDS, [userId]);
  await send(DELETE_AUTHORSHIP, [userId]);
}

// Two records on a compacted topic. The first replaces the user's announcement, so that compaction removes the e-mail address. The second
// has a key of its own and survives when a returning user is announced under the first key. A `sub` has no control characters.
function announcements(userId: string, { deletedAt }: Deletion, traceparent: string): OutboxEntry[] {
  const deleted: UserDeleted = { sub: userId, deletedAt: deletedAt.toISOString() };
  const headers = cloudEventHeaders({
    id: randomUUID(),
    type: EVENT_TYPES.userDeleted,
    source: '/notifications',
    subject: userId,
    time: deleted.deletedAt,
  });
  const messages = [{ topic: TOPICS.users, headers, value: JSON.stringify(deleted) }];
  return [userId, `${userId}\tdeleted`].map((key) => ({ key, version: 0, messages, traceparent }));
}
