import type pg from 'pg';
import type { Database } from './database.js';

const BYPASSES = 'rolsuper OR rolbypassrls';

/** Rejects where FORCE ROW LEVEL SECURITY would hide the rows of its own tables from the owner, its triggers and its migrations. */
export async function requireBypass(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ role: string }>(
    `SELECT rolname AS role FROM pg_roles
      WHERE rolname = current_user AND NOT (${BYPASSES})
        AND EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid AND relforcerowsecurity)`,
  );
  if (rows[0])
    throw new Error(`${rows[0].role} does not see the rows of its own tables: ALTER ROLE ${rows[0].role} BYPASSRLS`);
}

/** Rejects a role for which row-level security would do nothing, or whose policies let it see every row. */
export async function refuseBypass(database: Database): Promise<void> {
  const [row] = await database.read<{ role: string; bypasses: boolean; seesAll: boolean }>(
    null,
    `SELECT rolname AS role, ${BYPASSES} AS bypasses, EXISTS (
              SELECT FROM pg_policy p, unnest(p.polroles) of_role
               WHERE of_role <> 0 AND pg_has_role(current_user, of_role, 'USAGE')
                 AND pg_get_expr(p.polqual, p.polrelid) = 'true') AS "seesAll"
       FROM pg_roles WHERE rolname = current_user`,
  );
  if (row?.bypasses)
    throw new Error(`${row.role} bypasses row-level security: use a role without SUPERUSER and BYPASSRLS`);
  if (row?.seesAll) throw new Error(`${row.role} sees every row: it is for the internal URL alone`);
}
