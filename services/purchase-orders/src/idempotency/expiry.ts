import { Purge, type PurgeBatch, type Statement } from '@po/database';
import type { Logger } from '@po/platform';
import type { Databases } from '../store/databases.js';

const EVERY_MS = 60_000;

// Uses the service's clock, which set the expiry. Uses an array of keys instead of a join, whose generic plan may read the whole table.
// Skips rows that a command is overwriting or another replica is deleting.
const deleteExpired = (table: string, key: string): Statement => ({
  name: `purge-${table}`,
  text: `WITH gone AS (
           DELETE FROM ${table} WHERE expires_at < $2 AND ${key} = ANY (ARRAY(
             SELECT ${key} FROM ${table} WHERE expires_at < $2 ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
           RETURNING 1
         ) SELECT count(*)::int AS deleted FROM gone`,
});
export const DELETE_EXPIRED = {
  command_log: deleteExpired('command_log', 'key_hash'),
  command_refusals: deleteExpired('command_refusals', 'command_id'),
};
type Expiring = keyof typeof DELETE_EXPIRED;

/** Deletes up to `rows` expired rows, oldest first. */
export async function purgeExpired({ internal }: Databases, table: Expiring, rows: number): Promise<PurgeBatch> {
  return internal.transaction(null, async (send) => {
    const [row] = await send<{ deleted: number }>(DELETE_EXPIRED[table], [rows, new Date().toISOString()]);
    const deleted = row?.deleted ?? 0;
    return { deleted, more: deleted === rows };
  });
}

/** Deletes expired answers and refusals some time after their expiry. Reads ignore expired ones anyway. */
export function expiry(databases: Databases, logger: Logger, timing: { firstMs?: number } = {}): Purge[] {
  return (['command_log', 'command_refusals'] as const).map((table) => {
    const batch = (rows: number) => purgeExpired(databases, table, rows);
    return new Purge({ name: table, everyMs: EVERY_MS, batch, logger, ...timing });
  });
}
