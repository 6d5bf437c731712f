import type { Statement } from '@po/database';

/** Maximum number of listed views; the user's own come first. */
const MAX_LISTED = 1_000;

const FIELDS = `id, side, owner_id AS "ownerId", owner_name AS "ownerName", name, query, columns, shared, version,
                updated_at AS "updatedAt"`;
const BY_NAME = 'lower(name), name, id';

/** Sets the side and role, which row-level security needs besides the user of the scope. $1: side, $2: role. */
export const SET_SIDE: Statement = {
  name: 'views-side',
  text: `SELECT set_config('app.side', $1, true), set_config('app.role', $2, true)`,
};

// $1: side, $2: user, as in the following statements.
export const LIST: Statement = {
  name: 'views-list',
  text: `SELECT * FROM (
           SELECT ${FIELDS} FROM views WHERE side = $1 AND (owner_id = $2 OR shared)
            ORDER BY owner_id = $2 DESC, ${BY_NAME} LIMIT ${MAX_LISTED}
         ) listed ORDER BY ${BY_NAME}`,
};

export const COUNT: Statement = {
  name: 'views-count',
  text: 'SELECT count(*)::int AS count FROM views WHERE side = $1 AND owner_id = $2',
};
export const INSERT: Statement = {
  name: 'views-insert',
  text: `INSERT INTO views (side, owner_id, id, owner_name, name, query, columns, shared, version, created_at,
                            updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, 1, at, at FROM clock_timestamp() at RETURNING ${FIELDS}`,
  rows: 1,
};

/** $3: id. */
export const LOCK_VISIBLE: Statement = {
  name: 'views-lock-visible',
  text: `SELECT ${FIELDS} FROM views WHERE side = $1 AND (owner_id = $2 OR shared) AND id = $3 FOR UPDATE`,
};
// $3: id, $4: version
export const REPLACE: Statement = {
  name: 'views-replace',
  text: `UPDATE views SET version = version + 1, updated_at = clock_timestamp(), name = $5, query = $6, columns = $7, shared = $8,
                          owner_name = CASE WHEN owner_id = $2 THEN $9 ELSE owner_name END
          WHERE side = $1 AND id = $3 AND version = $4 RETURNING ${FIELDS}`,
  rows: 1,
};
// $2: id, $3: version
export const DELETE: Statement = {
  name: 'views-delete',
  text: 'DELETE FROM views WHERE side = $1 AND id = $2 AND version = $3 RETURNING id',
  rows: 1,
};
