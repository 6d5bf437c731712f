const OUTBOX_SHARDS = 16;

/** A record to publish under its entry's key; `value` is JSON text. */
export interface OutboxMessage {
  topic: string;
  headers: Record<string, string>;
  value: string;
}

/** What one business act publishes, in this order. */
export interface OutboxEntry {
  key: string;
  version: number;
  messages: OutboxMessage[];
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

/**
 * A later migration of every outbox. Nobody reads the column, and no entry has one from now on; it can be dropped when no pod of the
 * version before is left, which still gives one.
 */
export const OUTBOX_WITHOUT_ID = 'ALTER TABLE outbox ALTER COLUMN id DROP NOT NULL';

/**
 * A later migration of every outbox: what the relay reads at once is bounded by it. Rows of the version before have none. Not a generated
 * column: that would write the whole table anew, while nobody may write to it.
 */
export const OUTBOX_BYTES = 'ALTER TABLE outbox ADD COLUMN bytes integer';

/** The shard of a key: FNV-1a over its UTF-16 units. */
export function shardOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % OUTBOX_SHARDS;
}

const COLUMNS = 'shard, key, version, messages, traceparent, bytes';

/**
 * Adds one entry inside the caller's transaction, for each row of `from`: it is published if, and only if, that commits. The five
 * parameters from `$first` on are those of `outboxValues`.
 */
export function insertOutboxEntry(first: number, from: string): string {
  const [shard, key, version, messages, traceparent] = Array.from({ length: 5 }, (_, index) => `$${first + index}`);
  return `INSERT INTO outbox (${COLUMNS})
    SELECT ${shard}::smallint, ${key}::text, ${version}::integer, ${messages}::json, ${traceparent}::text,
           octet_length(${messages}::text)
      FROM ${from}`;
}

export function outboxValues(entry: OutboxEntry): unknown[] {
  const { key, version, messages, traceparent } = entry;
  return [shardOf(key), key, version, JSON.stringify(messages), traceparent];
}

/** Adds so many entries, in the order given; its parameters are the `outboxValues` of one after the other. */
export function insertOutboxEntries(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const [shard, key, version, messages, traceparent] = [1, 2, 3, 4, 5].map((place) => `$${5 * index + place}`);
    return `(${shard}::smallint, ${key}::text, ${version}::integer, ${messages}::json, ${traceparent}::text)`;
  });
  return `INSERT INTO outbox (${COLUMNS})
    SELECT shard, key, version, messages, traceparent, octet_length(messages::text)
      FROM (VALUES ${rows.join(', ')}) AS e(shard, key, version, messages, traceparent)`;
}

/** Adds the entries of a JSON array made by `outboxJson`, in the order given: for small ones, which are encoded twice by this. */
export const INSERT_OUTBOX_ENTRIES = `INSERT INTO outbox (${COLUMNS})
  SELECT shard, key, version, messages, traceparent, octet_length(messages::text)
    FROM json_to_recordset($1::json)
      AS e(shard smallint, key text, version integer, messages json, traceparent text)`;

export function outboxJson(entries: readonly OutboxEntry[]): string {
  return JSON.stringify(entries.map((entry) => ({ ...entry, shard: shardOf(entry.key) })));
}
