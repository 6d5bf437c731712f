import { type Batch, BatchJob, type Send, type Statement, deleteBatch, deletion } from '@po/database';
import type { Logger } from '@po/platform';
import type { Databases } from '../store/databases.js';
import { ENTRY_RETENTION_DAYS, KEY_RETENTION_HOURS } from '../store/dedup-window.js';
import { TRY_LOCK_PURGE } from '../store/locks.js';

const EVERY_MS = 60_000;
/** Each round checks every copy, most of which are still needed. */
const TRANSITIONS_EVERY_MS = 6 * 60 * EVERY_MS;
/** Maximum mark-alls per batch, because each may cover a whole inbox. */
const MAX_MARKS = 50;

// Uses an array of ids: a generic plan of a join may scan the whole table.
const deletedBy = (name: string, due: string): Statement =>
  deletion(name, `DELETE FROM notifications WHERE id = ANY (ARRAY(${due}))`);

// $1: days, $2: maximum rows.
const DELETE_READ = deletedBy(
  'purge-read',
  `SELECT id FROM notifications WHERE read_at < now() - $1::int * interval '1 day' ORDER BY read_at LIMIT $2`,
);
const DELETE_OLD = deletedBy(
  'purge-old',
  `SELECT id FROM notifications WHERE created_at < now() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2`,
);

const KEYS_END = `now() - interval '${KEY_RETENTION_HOURS} hours'`;
// $1: maximum rows. Checks the age twice, because a concurrent request may have reused the key.
const DELETE_VIEW_COMMANDS = deletion(
  'purge-view-commands',
  `DELETE FROM view_commands WHERE created_at < ${KEYS_END} AND key_hash = ANY (ARRAY(
     SELECT key_hash FROM view_commands WHERE created_at < ${KEYS_END} ORDER BY created_at LIMIT $1))`,
);

const OLDEST_MARKS = `
  SELECT user_id, command_id, audience, seq FROM watermarks
   WHERE at < now() - $1::int * interval '1 day' ORDER BY at LIMIT ${MAX_MARKS}`;

const DELETE_MARKED = deletedBy(
  'purge-marked',
  `SELECT below.id
     FROM (SELECT user_id, audience, max(seq) AS seq FROM (${OLDEST_MARKS}) oldest GROUP BY user_id, audience) m
    CROSS JOIN LATERAL (SELECT n.id FROM notifications n
                         WHERE n.user_id = m.user_id AND n.audience = m.audience AND n.seq <= m.seq
                         ORDER BY n.seq LIMIT $2) below
    LIMIT $2`,
);
// A mark without notifications up to its number has no effect: later ones have higher numbers.
const DELETE_MARKS = deletion(
  'purge-marks',
  `DELETE FROM watermarks WHERE (user_id, command_id) IN (
     SELECT m.user_id, m.command_id FROM (${OLDEST_MARKS}) m
      WHERE (SELECT true FROM notifications n
              WHERE n.user_id = m.user_id AND n.audience = m.audience AND n.seq <= m.seq LIMIT 1) IS NULL)`,
);

// $1: entry after which to continue, $2: number of entries to check. Avoids NOT EXISTS, whose plan may read all notifications.
const DELETE_TRANSITIONS: Statement = {
  name: 'purge-transitions',
  text: `WITH looked_at AS MATERIALIZED (
           SELECT history_id, occurred_at FROM transitions WHERE history_id > $1 ORDER BY history_id LIMIT $2
         ), gone AS (
           DELETE FROM transitions WHERE history_id = ANY (ARRAY(
             SELECT l.history_id FROM looked_at l
              WHERE l.occurred_at < now() - interval '${ENTRY_RETENTION_DAYS} days'
                AND (SELECT true FROM notifications n WHERE n.history_id = l.history_id LIMIT 1) IS NULL))
           RETURNING 1
         ) SELECT (SELECT count(*)::int FROM gone) AS deleted, (SELECT max(history_id) FROM looked_at) AS last`,
};

/** Exported for the tests of their plans: each must find its rows by an index, however large the tables are. */
export const STATEMENTS = [
  DELETE_READ,
  DELETE_OLD,
  DELETE_MARKED,
  DELETE_MARKS,
  DELETE_VIEW_COMMANDS,
  DELETE_TRANSITIONS,
];

/** Deletes a batch of expired rows. `rows` is the maximum for rows that users see. */
export type PurgeRows = (rows: number) => Promise<Batch>;

/** Purges notifications that were marked individually this many days ago. */
export function readNotifications(databases: Databases, days: number): PurgeRows {
  return (rows) => withLock(databases, (send) => deleteBatch(send, DELETE_READ, rows, [days, rows]));
}

/** Purges notifications covered by a mark-all from this many days ago, and then that mark. */
export function markedNotifications(databases: Databases, days: number): PurgeRows {
  return (rows) =>
    withLock(databases, async (send) => {
      const below = await deleteBatch(send, DELETE_MARKED, rows, [days, rows]);
      const marks = await deleteBatch(send, DELETE_MARKS, MAX_MARKS, [days]);
      return { done: below.done + marks.done, more: below.more || marks.more };
    });
}

/** Purges notifications created this many days ago, read or not. */
export function oldNotifications(databases: Databases, days: number): PurgeRows {
  return (rows) => withLock(databases, (send) => deleteBatch(send, DELETE_OLD, rows, [days, rows]));
}

/** Purges expired idempotency records. */
export function oldViewCommands(databases: Databases): PurgeRows {
  return (rows) => withLock(databases, (send) => deleteBatch(send, DELETE_VIEW_COMMANDS, rows, [rows]));
}

/** Purges copies of entries without notifications that can no longer be announced. Each round checks every copy. */
export function unneededTransitions(databases: Databases): PurgeRows {
  let after = '';
  return (rows) =>
    withLock(databases, async (send) => {
      const [batch] = await send<{ deleted: number; last: string | null }>(DELETE_TRANSITIONS, [after, rows]);
      after = batch?.last ?? '';
      return { done: batch?.deleted ?? 0, more: after !== '' };
    });
}

/** While another replica runs a batch, deletes nothing and reports that there may be more. */
function withLock({ internal }: Databases, run: (send: Send) => Promise<Batch>): Promise<Batch> {
  return internal.transaction(null, async (send) => {
    const [lock] = await send<{ locked: boolean }>(TRY_LOCK_PURGE);
    return lock?.locked ? run(send) : { done: 0, more: true };
  });
}

interface Days {
  /** Days after which a read notification is deleted. */
  read: number;
  /** Days after which any notification is deleted. */
  unread: number;
}

/** Purges that limit the size of the database, for any number of replicas. */
export function purgesOf(
  databases: Databases,
  { read, unread }: Days,
  logger: Logger,
  timing: { firstMs?: number } = {},
): BatchJob[] {
  const purge = (name: string, everyMs: number, batch: PurgeRows) =>
    new BatchJob({ name, everyMs, batch, logger, ...timing });
  return [
    purge('notifications_read', EVERY_MS, readNotifications(databases, read)),
    purge('notifications_marked', EVERY_MS, markedNotifications(databases, read)),
    purge('notifications_old', EVERY_MS, oldNotifications(databases, unread)),
    purge('view_commands', EVERY_MS, oldViewCommands(databases)),
    purge('transitions', TRANSITIONS_EVERY_MS, unneededTransitions(databases)),
  ];
}
