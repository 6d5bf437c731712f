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

/** Rejects a role for which row-level security would do nothing, or that is the one whose policies let it see every row. */
export async function refuseBypass(database: Database, internal: Database): Promise<void> {
  const sql = `SELECT rolname AS role, ${BYPASSES} AS bypasses FROM pg_roles WHERE rolname = current_user`;
  const roleOf = async (each: Database) => (await each.read<{ role: string; bypasses: boolean }>(null, sql))[0];
  const [row, other] = [await roleOf(database), await roleOf(internal)];
  if (row?.bypasses)
    throw new Error(`${row.role} bypasses row-level security: use a role without SUPERUSER and BYPASSRLS`);
  if (row && row.role === other?.role) throw new Error(`${row.role} sees every row: it is for the internal URL alone`);
}
