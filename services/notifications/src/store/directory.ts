import type { Send, Statement } from '@po/database';
import { DELETED_ROLE } from './user.entity.js';

// Any constant works as long as nothing else of this database uses it.
const LOCK = 7_301_160;

/** Finds a user who is deleted and not back. $1: user. */
export const FIND_DELETION: Statement = {
  name: 'directory-find-deletion',
  text: `SELECT user_id FROM users WHERE user_id = $1 AND role = '${DELETED_ROLE}'`,
};

/** Taken by every fan-out: they run beside each other, but not beside a change of who is in the directory. */
export const HOLD_DIRECTORY: Statement = {
  name: 'directory-hold',
  text: `SELECT pg_advisory_xact_lock_shared(${LOCK})`,
};

/**
 * Taken to change the directory. An entry is then either stored before a first-seen user's backfill, which finds it, or
 * fanned out after it, which finds the user: none is missed and none is doubled.
 */
export async function lockDirectory(send: Send): Promise<void> {
  await send('SELECT pg_advisory_xact_lock($1)', [LOCK]);
}

/** For how long a user who makes no request is known. */
export class UserRetention {
  constructor(readonly days: number) {}
}

/** SQL: was user `u` seen within the days of this parameter; who was not counts as unknown. */
export const isRetained = (days: `$${number}`): string => `u.seen_at > now() - ${days}::int * interval '1 day'`;

// Also what is announced late, or again when the directory is built anew, must not bring back what a deletion took.
const AFTER_DELETION = `t.occurred_at > COALESCE(u.deleted_at, '-infinity')`;

/** SQL: is entry `t` for user `u`: as a VENDOR, as a BUYER, or because it names them. Of other roles only who is named is told. */
export const RECEIVES = {
  VENDOR: `u.role = 'VENDOR' AND t.to_vendor AND t.vendor_code = u.vendor_code
           AND u.user_id IS DISTINCT FROM t.actor_id AND ${AFTER_DELETION}`,
  BUYER: `u.role = 'BUYER' AND (t.to_buyers = 'every' OR t.to_buyers = 'own' AND t.buyer_email = lower(u.email))
          AND u.user_id IS DISTINCT FROM t.actor_id AND ${AFTER_DELETION}`,
  NAMED: `t.named @> ARRAY[u.user_id]
          AND (u.role IN ('BUYER', 'ADMIN', 'VIEWER') OR u.role = 'VENDOR' AND t.vendor_code = u.vendor_code AND NOT t.internal)
          AND u.user_id IS DISTINCT FROM t.actor_id AND ${AFTER_DELETION}`,
} as const;

/**
 * SQL: id of the notification of `history_id` for `user_id`, a UUIDv8 of a SHA-256 (RFC 9562, 5.8). Where the database was restored to an
 * earlier time and the events are read again, what was announced before is announced under the same id.
 */
export const NOTIFICATION_ID = `overlay(overlay(left(
  encode(sha256(convert_to(user_id || chr(31) || history_id, 'UTF8')), 'hex'), 32) placing '8' from 13) placing '8' from 17)::uuid`;
