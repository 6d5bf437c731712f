import { type PurgeBatch, type Send, type Statement } from '@po/database';
import type { Databases } from '../store/databases.js';
import { ENTRY_RETENTION_DAYS, KEY_RETENTION_HOURS } from '../store/dedup-window.js';

// Any constant that nothing else in this database uses.
const LOCK = 7_301_161;
/** Maximum mark-alls per batch, because each may cover a whole inbox. */
const MAX_MARKS = 50;

// One batch at a time across all replicas: concurrent ones would wait for each other's rows, in any order.
const LOCK_PURGE: Statement = {
  name: 'purge-lock',
  text: `SELECT pg_try_advisory_xact_lock(${LOCK}) AS locked`,
};

// Uses an array of ids: a generic plan of a join may scan the whole table.
const deletedBy = (name: string, due: string): Statement => ({
  name,
  text: `WITH gone AS (DELETE FROM notifications WHERE id = ANY (ARRAY(${due})) RETURNING 1)
         SELECT count(*)::int AS deleted FROM gone`,
});

// $1: days, $2: maximum rows. Returns Deleted.
const DELETE_READ = deletedBy(
  'purge-read',
  `SELECT id FROM notifications WHERE read_at < now() - $1::int * interval '1 day' ORDER BY read_at LIMIT $2`,
);
const DELETE_OLD = deletedBy(
  'purge-old',
  `SELECT id FROM notifications WHERE created_at < now() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2`,
);

const KEYS_END = `now() - interval '${KEY_RETENTION_HOURS} hours'`;
// $1: maximum rows. Checks the age twice, because a concurrent request may have reused the key. Returns Deleted.
const DELETE_VIEW_COMMANDS: Statement = {
  name: 'purge-view-commands',
  text: `WITH gone AS (
           DELETE FROM view_commands WHERE created_at < ${KEYS_END} AND key_hash = ANY (ARRAY(
             SELECT key_hash FROM view_commands WHERE created_at < ${KEYS_END} ORDER BY created_at LIMIT $1))
           RETURNING 1
         ) SELECT count(*)::int AS deleted FROM gone`,
};

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
const DELETE_MARKS: Statement = {
  name: 'purge-marks',
  text: `WITH gone AS (
           DELETE FROM watermarks WHERE (user_id, command_id) IN (
             SELECT m.user_id, m.command_id FROM (${OLDEST_MARKS}) m
              WHERE (SELECT true FROM notifications n
                      WHERE n.user_id = m.user_id AND n.audience = m.audience AND n.seq <= m.seq LIMIT 1) IS NULL)
           RETURNING 1
         ) SELECT count(*)::int AS deleted FROM gone`,
};

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

interface Deleted {
  deleted: number;
}

/** Deletes a batch of expired rows. `rows` is the maximum for rows that users see. */
export type PurgeRows = (rows: number) => Promise<PurgeBatch>;

/** Purges notifications that were marked individually this many days ago. */
export function readNotifications(databases: Databases, days: number): PurgeRows {
  return (rows) => purgeBatch(databases, (send) => deleted(send, DELETE_READ, [days, rows]));
}

/** Purges notifications covered by a mark-all from this many days ago, and then that mark. */
export function markedNotifications(databases: Databases, days: number): PurgeRows {
  return (rows) =>
    purgeBatch(databases, async (send) => {
      const below = await deleted(send, DELETE_MARKED, [days, rows]);
      return below + (await deleted(send, DELETE_MARKS, [days]));
    });
}

/** Purges notifications created this many days ago, read or not. */
export function oldNotifications(databases: Databases, days: number): PurgeRows {
  return (rows) => purgeBatch(databases, (send) => deleted(send, DELETE_OLD, [days, rows]));
}

/** Purges expired idempotency records. */
export function oldViewCommands(databases: Databases): PurgeRows {
  return (rows) => purgeBatch(databases, (send) => deleted(send, DELETE_VIEW_COMMANDS, [rows]));
}

/** Purges copies of entries without notifications that can no longer be announced. Each round checks every copy. */
export function unneededTransitions(databases: Databases): PurgeRows {
  let after = '';
  return (rows) =>
    withLock(databases, async (send) => {
      const [batch] = await send<Deleted & { last: string | null }>(DELETE_TRANSITIONS, [after, rows]);
      after = batch?.last ?? '';
      return { deleted: batch?.deleted ?? 0, more: after !== '' };
    });
}

function purgeBatch(databases: Databases, run: (send: Send) => Promise<number>): Promise<PurgeBatch> {
  return withLock(databases, async (send) => {
    const rows = await run(send);
    return { deleted: rows, more: rows > 0 };
  });
}

/** While another replica runs a batch, deletes nothing and reports that there may be more. */
function withLock({ internal }: Databases, run: (send: Send) => Promise<PurgeBatch>): Promise<PurgeBatch> {
  return internal.transaction(null, async (send) => {
    const [lock] = await send<{ locked: boolean }>(LOCK_PURGE);
    return lock?.locked ? run(send) : { deleted: 0, more: true };
  });
}

async function deleted(send: Send, statement: Statement, values: unknown[]): Promise<number> {
  const [row] = await send<Deleted>(statement, values);
  return row?.deleted ?? 0;
}
