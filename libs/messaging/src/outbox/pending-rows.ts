import type { Pool } from 'pg';
import type { OutboxMessage } from './outbox.js';

/** A row of the outbox, with its shard. */
export interface OutboxRow {
  position: string;
  shard: number;
  key: string;
  traceparent: string;
  messages: readonly OutboxMessage[];
}

const BATCH_ROWS = 250;
/**
 * A batch becomes one request, and all of it may be for one partition, which accepts 8 MiB. It is in memory several times: as text, as
 * values and as sent bytes.
 */
const BATCH_BYTES = 4 * 1024 * 1024;

// All rows of a key with a parked row wait, so that later rows do not overtake it. The parked keys are selected once instead of per row:
// PostgreSQL assumes that a table that was empty at its last vacuum is still empty, and would read all of it for each row.
const pending = (without: string): string => `
  SELECT position, shard, key, traceparent, messages, found
    FROM (SELECT position, shard, key, traceparent, messages, count(*) OVER () AS found, row_number() OVER upwards AS place,
                 sum(bytes) OVER upwards AS so_far
            FROM (SELECT position, shard, key, traceparent, messages, bytes FROM outbox
                   WHERE shard = ANY($1)
                     AND key <> ALL (ARRAY(SELECT p.key FROM outbox p WHERE p.parked_reason IS NOT NULL))
                     ${without}
                   ORDER BY position LIMIT ${BATCH_ROWS}) AS first
          WINDOW upwards AS (ORDER BY position ROWS UNBOUNDED PRECEDING)) AS measured
   WHERE so_far <= ${BATCH_BYTES} OR place = 1
   ORDER BY position`;
export const PENDING = pending('');
// Always reads from the first row, never from a cursor, behind which a later row of a key may become visible before an earlier one.
export const PENDING_WITHOUT_KEYS = pending(
  'AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS w(key) WHERE w.key = outbox.key)',
);

interface Wanted {
  shards: readonly number[];
  /** Excluded keys. */
  without: readonly string[];
}

/** The next batch of rows of these shards, in order, and whether there may be more. A row above `BATCH_BYTES` comes alone. */
export async function pendingRows(
  pool: Pool,
  { shards, without }: Wanted,
): Promise<{ rows: OutboxRow[]; more: boolean }> {
  // Unnamed if keys are excluded, so that PostgreSQL plans the query for the actual number of keys.
  const { rows } = await pool.query<OutboxRow & { found: string }>(
    without.length === 0
      ? { name: 'outbox-pending', text: PENDING, values: [shards] }
      : { text: PENDING_WITHOUT_KEYS, values: [shards, without] },
  );
  return { rows, more: rows.length === BATCH_ROWS || rows.length < Number(rows[0]?.found ?? 0) };
}
