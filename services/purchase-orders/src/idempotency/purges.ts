import { type Batch, BatchJob, deleteBatch, deletion } from '@po/database';
import type { Logger } from '@po/platform';
import type { Databases } from '../store/databases.js';

const EVERY_MS = 60_000;

// Uses the service's clock, which set the expiry. Uses an array of keys instead of a join, whose generic plan may read the whole table.
// Skips rows that a command is overwriting or another replica is deleting.
const deleteExpired = (table: string, key: string) =>
  deletion(
    `purge-${table}`,
    `DELETE FROM ${table} WHERE expires_at < $2 AND ${key} = ANY (ARRAY(
       SELECT ${key} FROM ${table} WHERE expires_at < $2 ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  );
export const DELETE_EXPIRED = {
  command_log: deleteExpired('command_log', 'key_hash'),
  command_refusals: deleteExpired('command_refusals', 'command_id'),
};
type Expiring = keyof typeof DELETE_EXPIRED;

/** Deletes up to `rows` expired rows, oldest first. */
export function purgeExpired({ internal }: Databases, table: Expiring, rows: number): Promise<Batch> {
  const values = [rows, new Date().toISOString()];
  return internal.transaction(null, (send) => deleteBatch(send, DELETE_EXPIRED[table], rows, values));
}

/** Deletes expired answers and refusals some time after their expiry. Reads ignore expired ones anyway. */
export function purgesOf(databases: Databases, logger: Logger, timing: { firstMs?: number } = {}): BatchJob[] {
  return (['command_log', 'command_refusals'] as const).map((table) => {
    const batch = (rows: number) => purgeExpired(databases, table, rows);
    return new BatchJob({ name: table, everyMs: EVERY_MS, batch, logger, ...timing });
  });
}
