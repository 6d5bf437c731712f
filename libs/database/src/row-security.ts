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

/** Rejects a role for which row-level security would do nothing. */
export async function refuseBypass(database: Database): Promise<void> {
  const sql = `SELECT rolname AS role FROM pg_roles WHERE rolname = current_user AND (${BYPASSES})`;
  const [row] = await database.read<{ role: string }>(null, sql);
  if (row) throw new Error(`${row.role} bypasses row-level security: use a role without SUPERUSER and BYPASSRLS`);
}
