import { randomUUID } from 'node:crypto';

export const OUTBOX_SHARDS = 16;

/** Records that one business act publishes, in this order, all under the entry's key. `value` is JSON text. */
export interface OutboxEntry {
  id?: string;
  key: string;
  version: number;
  messages: { topic: string; headers: Record<string, string>; value: string }[];
  traceparent: string;
}

/**
 * The outbox tables. `position` is drawn while the key's own row lock is held, so it orders the entries of one key (not of the
 * whole table: transactions commit in another order than they draw).
 */
export const OUTBOX_DDL = `
CREATE TABLE outbox (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL,
  shard smallint NOT NULL,
  key text NOT NULL,
  version integer NOT NULL,
  messages json NOT NULL,
  traceparent text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  parked_reason text
);
CREATE INDEX outbox_shard_position ON outbox (shard, position);
CREATE INDEX outbox_parked_key ON outbox (key) WHERE parked_reason IS NOT NULL;
CREATE TABLE outbox_leases (
  shard smallint PRIMARY KEY,
  owner text,
  fence bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO outbox_leases (shard) SELECT generate_series(0, ${OUTBOX_SHARDS - 1});
`;

/**
 * A later migration of every outbox. By an index of shard and position the relay's question is a bitmap scan, which reads the entries of
 * deleted rows again and again; in the order of the primary key it passes each once.
 */
export const OUTBOX_BY_POSITION = 'DROP INDEX outbox_shard_position';

/** The shard of a key: FNV-1a over its UTF-16 units. */
export function shardOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % OUTBOX_SHARDS;
}

/** Adds an entry inside the caller's transaction: it is published if, and only if, that commits. */
export async function writeOutbox(
  query: (sql: string, values: unknown[]) => Promise<unknown>,
  { id = randomUUID(), key, version, messages, traceparent }: OutboxEntry,
): Promise<void> {
  await query('INSERT INTO outbox (id, shard, key, version, messages, traceparent) VALUES ($1, $2, $3, $4, $5, $6)', [
    id,
    shardOf(key),
    key,
    version,
    JSON.stringify(messages),
    traceparent,
  ]);
}

/** Adds many entries by one statement, as `writeOutbox` adds one; `outboxValues` makes its values. Positions are in the order given. */
export const ADD_OUTBOX_ENTRIES = {
  name: 'outbox-add-entries',
  text: `INSERT INTO outbox (id, shard, key, version, messages, traceparent)
         SELECT id, shard, key, version, messages, traceparent
           FROM json_to_recordset($1::json)
             AS e(id uuid, shard smallint, key text, version integer, messages json, traceparent text)`,
};

export function outboxValues(entries: readonly OutboxEntry[]): unknown[] {
  return [JSON.stringify(entries.map((entry) => ({ id: randomUUID(), ...entry, shard: shardOf(entry.key) })))];
}
