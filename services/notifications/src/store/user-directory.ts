import { DELETED_ROLE, type Statement } from '@po/database';

/** Finds a user who is deleted and has not returned. $1: user. */
export const FIND_DELETION: Statement = {
  name: 'directory-find-deletion',
  text: `SELECT user_id FROM users WHERE user_id = $1 AND role = '${DELETED_ROLE}'`,
};

/** How long a user is remembered after their last request. */
export class UserRetention {
  constructor(readonly days: number) {}
}

/** SQL condition: user `u` was seen within the days of this parameter. Other users count as unknown. */
export const isRetained = (days: `$${number}`): string => `u.seen_at > now() - ${days}::int * interval '1 day'`;

// Entries announced late, or again during a directory rebuild, must not restore what a deletion removed.
const AFTER_DELETION = `t.occurred_at > COALESCE(u.deleted_at, '-infinity')`;

/** SQL conditions: user `u` receives entry `t` as a VENDOR, as a BUYER, or because it names them. Other roles receive it only if named. */
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
 * SQL: id of the notification of `history_id` for `user_id`, a UUIDv8 from a SHA-256 (RFC 9562, 5.8). After a database restore, events that
 * are read again are announced under the same ids.
 */
export const NOTIFICATION_ID = `overlay(overlay(left(
  encode(sha256(convert_to(user_id || chr(31) || history_id, 'UTF8')), 'hex'), 32) placing '8' from 13) placing '8' from 17)::uuid`;
