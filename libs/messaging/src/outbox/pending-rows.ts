import type { Pool } from 'pg';
import type { OutboxCache } from './outbox-cache.js';
import type { OutboxMessage } from './outbox.js';

/** A row of the outbox, with its shard. */
export interface OutboxRow extends Listed {
  messages: readonly OutboxMessage[];
}

interface Listed {
  position: string;
  shard: number;
  key: string;
  version: number;
  traceparent: string;
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
  SELECT position, shard, key, version, traceparent, found
    FROM (SELECT position, shard, key, version, traceparent, count(*) OVER () AS found, row_number() OVER upwards AS place,
                 sum(bytes) OVER upwards AS so_far
            FROM (SELECT position, shard, key, version, traceparent, bytes FROM outbox
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
  outboxCache: OutboxCache;
}

/** The next batch of rows of these shards, in order, and whether there may be more. A row above `BATCH_BYTES` comes alone. */
export async function pendingRows(
  pool: Pool,
  { shards, without, outboxCache }: Wanted,
): Promise<{ rows: OutboxRow[]; more: boolean }> {
  // Unnamed if keys are excluded, so that PostgreSQL plans the query for the actual number of keys.
  const { rows } = await pool.query<Listed & { found: string }>(
    without.length === 0
      ? { name: 'outbox-pending', text: PENDING, values: [shards] }
      : { text: PENDING_WITHOUT_KEYS, values: [shards, without] },
  );
  const more = rows.length === BATCH_ROWS || rows.length < Number(rows[0]?.found ?? 0);
  const unknown = rows.filter(({ key, version }) => !outboxCache.find(key, version));
  const stored = await messagesOf(pool, unknown);
  const whole = rows.flatMap((row): OutboxRow[] => {
    const messages = outboxCache.find(row.key, row.version) ?? stored.get(row.position);
    return messages ? [{ ...row, messages }] : [];
  });
  return { rows: whole, more };
}

async function messagesOf(pool: Pool, rows: readonly Listed[]): Promise<Map<string, OutboxMessage[]>> {
  if (rows.length === 0) return new Map();
  const { rows: found } = await pool.query<{ position: string; messages: OutboxMessage[] }>({
    name: 'outbox-messages',
    text: 'SELECT position, messages FROM outbox WHERE position = ANY($1::bigint[])',
    values: [rows.map(({ position }) => position)],
  });
  return new Map(found.map(({ position, messages }) => [position, messages]));
}
