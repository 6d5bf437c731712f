import type { Statement } from '@po/database';
import { KEY_KEPT_HOURS } from '../store/dedup-window.js';

/** So many are listed: own ones before those of others. */
const MAX_LISTED = 1_000;
// Any constant works as long as nothing else of this database uses it.
const LOCK = 7_301_162;

const FIELDS = `id, side, owner_id AS "ownerId", owner_name AS "ownerName", name, query, columns, shared, version,
                updated_at AS "updatedAt"`;
const BY_NAME = 'lower(name), name, id';

/** Row-level security needs more than the user of the scope. $1: side, $2: role. */
export const SET_SIDE: Statement = {
  name: 'views-side',
  text: `SELECT set_config('app.side', $1, true), set_config('app.role', $2, true)`,
};

// $1: side, $2: user, as in all that follow.
export const LIST: Statement = {
  name: 'views-list',
  text: `SELECT * FROM (
           SELECT ${FIELDS} FROM views WHERE side = $1 AND (owner_id = $2 OR shared)
            ORDER BY owner_id = $2 DESC, ${BY_NAME} LIMIT ${MAX_LISTED}
         ) listed ORDER BY ${BY_NAME}`,
};

/** Taken to store a view: two requests of a user at a time must not both find room for one more. $1: user. */
export const LOCK_OWNER: Statement = {
  name: 'views-lock-owner',
  text: `SELECT pg_advisory_xact_lock(${LOCK}, hashtext($1))`,
};
export const COUNT: Statement = {
  name: 'views-count',
  text: 'SELECT count(*)::int AS count FROM views WHERE side = $1 AND owner_id = $2',
};
export const INSERT: Statement = {
  name: 'views-insert',
  text: `INSERT INTO views (side, owner_id, id, owner_name, name, query, columns, shared, command_id, body_hash,
                            version, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, at, at FROM clock_timestamp() at RETURNING ${FIELDS}`,
  rows: 1,
};

// $1: hash of the key
export const FIND_ANSWER: Statement = {
  name: 'views-find-answer',
  text: `SELECT command_id AS "commandId", body_hash AS "bodyHash", response FROM view_commands
          WHERE key_hash = $1 AND created_at > now() - interval '${KEY_KEPT_HOURS} hours'`,
};
// Over one that is too old and not purged yet.
export const SAVE_ANSWER: Statement = {
  name: 'views-save-answer',
  text: `INSERT INTO view_commands (key_hash, user_id, command_id, body_hash, response, created_at)
         VALUES ($1, $2, $3, $4, $5, clock_timestamp())
             ON CONFLICT (key_hash) DO UPDATE SET command_id = excluded.command_id, body_hash = excluded.body_hash,
                response = excluded.response, created_at = excluded.created_at`,
};

/** $3: id, $4: a command, which also finds what it made private before it was delivered again. */
export const LOCK_VISIBLE: Statement = {
  name: 'views-lock-visible',
  text: `SELECT ${FIELDS}, command_id AS "commandId" FROM views
          WHERE side = $1 AND (owner_id = $2 OR shared OR command_id = $4) AND id = $3 FOR UPDATE`,
};
// $3: id, $4: version
export const REPLACE: Statement = {
  name: 'views-replace',
  text: `UPDATE views SET version = version + 1, updated_at = clock_timestamp(), command_id = $5, name = $6, query = $7,
                          columns = $8, shared = $9, owner_name = CASE WHEN owner_id = $2 THEN $10 ELSE owner_name END
          WHERE side = $1 AND id = $3 AND version = $4 RETURNING ${FIELDS}`,
  rows: 1,
};
// $2: id, $3: version
export const DELETE: Statement = {
  name: 'views-delete',
  text: 'DELETE FROM views WHERE side = $1 AND id = $2 AND version = $3 RETURNING id',
  rows: 1,
};
