import type pg from 'pg';
import type { Database } from './database.js';

const BYPASSES = 'rolsuper OR rolbypassrls';

/** Policies that let the current role see every row of their table. */
const SEE_ALL = `pg_policy p, unnest(p.polroles) of_role
               WHERE of_role <> 0 AND pg_has_role(current_user, of_role, 'USAGE')
                 AND pg_get_expr(p.polqual, p.polrelid) = 'true'`;

/** Rejects if FORCE ROW LEVEL SECURITY would hide rows from the owner of the tables, and from its triggers and migrations. */
export async function requireBypass(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ role: string }>(
    `SELECT rolname AS role FROM pg_roles
      WHERE rolname = current_user AND NOT (${BYPASSES})
        AND EXISTS (SELECT FROM pg_class t WHERE relowner = pg_roles.oid AND relforcerowsecurity
                       AND NOT EXISTS (SELECT FROM ${SEE_ALL} AND p.polrelid = t.oid))`,
  );
  if (rows[0])
    throw new Error(
      `${rows[0].role} does not see the rows of its own tables: ALTER ROLE ${rows[0].role} BYPASSRLS, or grant it the role that sees all rows`,
    );
}

/** Rejects a role that bypasses row-level security or whose policies let it see every row. */
export async function refuseBypass(database: Database): Promise<void> {
  const [row] = await database.read<{ role: string; bypasses: boolean; seesAll: boolean }>(
    null,
    `SELECT rolname AS role, ${BYPASSES} AS bypasses, EXISTS (SELECT FROM ${SEE_ALL}) AS "seesAll"
       FROM pg_roles WHERE rolname = current_user`,
  );
  if (row?.bypasses)
    throw new Error(`${row.role} bypasses row-level security: use a role without SUPERUSER and BYPASSRLS`);
  if (row?.seesAll) throw new Error(`${row.role} sees every row: use it only for the internal URL`);
}
