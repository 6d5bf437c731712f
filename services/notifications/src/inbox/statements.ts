import type { Statement } from '@po/database';
import { AUDIENCE_OF_USER } from './inbox.js';

// No COALESCE: with it, row-level security would prevent the use of an index. An inbox with notifications always has its row.
const UNREAD = `n.read_at IS NULL AND n.seq > (SELECT i.read_to FROM inboxes i WHERE i.user_id = $1 AND i.audience = $2)`;

// Selects the page before the joins, so that their plan does not depend on the estimated number of rows in the inbox.
const shown = (name: string, rows: string, order: 'ASC' | 'DESC'): Statement => ({
  name,
  text: `
    SELECT n.seq, n.id, n.created_at AS "createdAt", LEAST(n.read_at, marked.at) AS "readAt", t.history_id AS "entryId", t.kind,
           t.po_ref AS "poRef", t.po_number AS "poNumber", t.vendor, t.action, t.from_status_id AS "fromStatusId",
           t.to_status_id AS "toStatusId", t.to_status AS "toStatus", t.to_status_zh AS "toStatusZh",
           t.status_color AS "statusColor", t.comment, t.actor_name AS "actorName", t.actor_role AS "actorRole",
           to_char(t.due_on, 'YYYY-MM-DD') AS "dueOn", t.step, t.title, t.title_zh AS "titleZh"
      FROM (${rows}) n
      JOIN transitions t ON t.history_id = n.history_id
      LEFT JOIN LATERAL (SELECT w.at FROM watermarks w
                          WHERE w.user_id = $1 AND w.audience = $2 AND w.seq >= n.seq
                          ORDER BY w.seq, w.at LIMIT 1) marked ON true
     ORDER BY n.seq ${order}`,
});

const page = (name: string, filter: string, order: 'ASC' | 'DESC'): Statement =>
  shown(
    name,
    `SELECT n.id, n.seq, n.history_id, n.created_at, n.read_at FROM notifications n
      WHERE n.user_id = $1 AND n.audience = $2 AND ${filter}
      ORDER BY n.seq ${order} LIMIT $4`,
    order,
  );

const BEFORE = `CASE WHEN $3::uuid IS NULL THEN 2147483647
                     ELSE (SELECT b.seq FROM notifications b WHERE b.id = $3 AND b.user_id = $1 AND b.audience = $2) END`;

// $5: kinds. Reads each kind separately, because the index has no order across several. Compares rows instead of `kind =`: otherwise
// PostgreSQL may read all kinds in the order of their numbers, and the few rows of one kind may be far down.
const pageOfKinds = (name: string, filter: string): Statement =>
  shown(
    name,
    `SELECT n.* FROM unnest($5::text[]) AS k(kind) CROSS JOIN LATERAL (
       SELECT n.id, n.seq, n.history_id, n.created_at, n.read_at FROM notifications n
        WHERE n.user_id = $1 AND n.audience = $2 AND n.kind >= k.kind AND (n.kind, n.seq) < (k.kind, ${BEFORE}) AND ${filter}
        ORDER BY n.kind DESC, n.seq DESC LIMIT $4) n
      ORDER BY n.seq DESC LIMIT $4`,
    'DESC',
  );

export const PAGE = page('inbox-page', `n.seq < ${BEFORE}`, 'DESC');
export const UNREAD_PAGE = page('inbox-unread-page', `${UNREAD} AND n.seq < ${BEFORE}`, 'DESC');
export const KINDS_PAGE = pageOfKinds('inbox-kinds-page', 'true');
export const UNREAD_KINDS_PAGE = pageOfKinds('inbox-unread-kinds-page', UNREAD);
export const SINCE = page('inbox-since', 'n.seq > $3', 'ASC');

/** Maintained by triggers, so that the cost does not depend on the size of the inbox. */
export interface Counts {
  total: number;
  unread: number;
}
export const COUNTS: Statement = {
  name: 'inbox-counts',
  text: 'SELECT total, unread FROM inboxes WHERE user_id = $1 AND audience = $2',
};
// $3: kinds. Counted by each query, unlike the counts above.
const countOfKinds = (name: string, filter: string): Statement => ({
  name,
  text: `SELECT count(*)::integer AS total FROM notifications n
          WHERE n.user_id = $1 AND n.audience = $2 AND n.kind = ANY ($3) AND ${filter}`,
});
export const KINDS_COUNT = countOfKinds('inbox-kinds-count', 'true');
export const UNREAD_KINDS_COUNT = countOfKinds('inbox-unread-kinds-count', UNREAD);

/** Maximum number of missed notifications to send; a client further behind reads the inbox instead. */
export const MAX_BEHIND = 1_000;

/**
 * `last`: the user's latest number. `seq` and `behind`: the number of the named notification, and how many came after it; `seq` is null if
 * it is not in this inbox.
 */
export interface InboxPosition {
  last: number;
  seq: number | null;
  behind: number;
}
export const POSITION: Statement = {
  name: 'inbox-position',
  text: `
    SELECT COALESCE((SELECT u.last_seq FROM users u WHERE u.user_id = $1), 0) AS last, b.seq,
           (SELECT count(*)::integer
              FROM (SELECT 1 FROM notifications n WHERE n.user_id = $1 AND n.audience = $2 AND n.seq > b.seq
                     ORDER BY n.seq LIMIT ${MAX_BEHIND + 1}) later) AS behind
      FROM (SELECT 1) one LEFT JOIN notifications b ON b.id = $3::uuid AND b.user_id = $1 AND b.audience = $2`,
};

/** $1: ids of notifications. Only those that their users may still see and whose kind has not been turned off. */
export const READ_MARKS: Statement = {
  name: 'inbox-read-marks',
  text: `
    SELECT n.id, n.read_at IS NOT NULL OR n.seq <= COALESCE(i.read_to, 0) AS read
      FROM notifications n JOIN users u ON u.user_id = n.user_id
      LEFT JOIN inboxes i ON i.user_id = n.user_id AND i.audience = n.audience
      LEFT JOIN preferences p ON p.user_id = n.user_id
     WHERE n.id = ANY($1::uuid[]) AND n.audience = ${AUDIENCE_OF_USER} AND p.mail ->> n.kind IS DISTINCT FROM 'off'`,
};
