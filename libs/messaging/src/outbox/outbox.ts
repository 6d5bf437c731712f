const OUTBOX_SHARDS = 16;

/** A record to publish under its entry's key. `value` is JSON, as text or as bytes in parts. */
export interface OutboxMessage {
  topic: string;
  headers: Record<string, string>;
  value: string | readonly Buffer[];
}

/** The messages that one change publishes, in this order. */
export interface OutboxEntry {
  key: string;
  /** For operators. 0 for messages and reminders: relays of version 1.0.0 take an order's cached change for a row of its version. */
  version: number;
  messages: OutboxMessage[];
  traceparent: string;
}

/**
 * The outbox tables. `position` is drawn while the row lock of the key is held, so it orders the entries of one key. It does not order the
 * whole table, because transactions commit in another order. There is no index on shard and position: the relay's query would use it in
 * a bitmap scan, which reads the index entries of deleted rows repeatedly. A scan in primary-key order passes each once.
 */
export const OUTBOX_DDL = `
CREATE TABLE outbox (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shard smallint NOT NULL,
  key text NOT NULL,
  version integer NOT NULL,
  messages json NOT NULL,
  -- Size of "messages"; limits how much the relay reads at a time.
  bytes integer NOT NULL,
  traceparent text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  parked_reason text
);
CREATE INDEX outbox_parked_key ON outbox (key) WHERE parked_reason IS NOT NULL;
CREATE TABLE outbox_leases (
  shard smallint PRIMARY KEY,
  owner text,
  fence bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO outbox_leases (shard) SELECT generate_series(0, ${OUTBOX_SHARDS - 1});
`;

/** For an outbox of states, where the last record of a key counts: the keys whose state must be published again. */
export const OUTBOX_RESTATEMENTS = `
CREATE TABLE outbox_restatements (
  key text PRIMARY KEY,
  shard smallint NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
`;

/** The shard of a key: FNV-1a over its UTF-16 units. */
export function shardOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % OUTBOX_SHARDS;
}

const COLUMNS = 'shard, key, version, messages, traceparent, bytes';

const TYPES = ['smallint', 'text', 'integer', 'json', 'text', 'integer'];
/** Number of statement parameters per entry. */
export const OUTBOX_PARAMETERS = TYPES.length;

const parametersFrom = (first: number): string => TYPES.map((type, index) => `$${first + index}::${type}`).join(', ');

/**
 * Statement that adds one entry for each row of `from` in the caller's transaction: it is published if and only if the transaction
 * commits. The parameters from `$first` on are `outboxValues`.
 */
export function insertOutboxEntry(first: number, from: string): string {
  return `INSERT INTO outbox (${COLUMNS}) SELECT ${parametersFrom(first)} FROM ${from}`;
}

/** The parameters of one entry for `insertOutboxEntry`, in its column order; `OUTBOX_PARAMETERS` values. */
export function outboxValues(entry: OutboxEntry): unknown[] {
  const { key, version, messages, traceparent } = entry;
  const serialized = serializeMessages(messages);
  return [shardOf(key), key, version, serialized, traceparent, serialized.length];
}

/** Statement that adds `count` entries in the given order. Its parameters are the `outboxValues` of each entry in turn. */
export function insertOutboxEntries(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `(${parametersFrom(1 + OUTBOX_PARAMETERS * index)})`);
  return `INSERT INTO outbox (${COLUMNS}) VALUES ${rows.join(', ')}`;
}

function serializeMessages(messages: readonly OutboxMessage[]): Buffer {
  const parts = messages.flatMap(({ topic, headers, value }, index) => [
    Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify({ topic, headers }).slice(0, -1)},"value":"`),
    ...(typeof value === 'string' ? [Buffer.from(JSON.stringify(value).slice(1, -1))] : value.map(escaped)),
    Buffer.from('"}'),
  ]);
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}

const escapedParts = new WeakMap<Buffer, Buffer>();

// Cached, because most parts of a large value recur in the next one. JSON escapes only ASCII characters, so all other UTF-8 bytes pass
// through unchanged as Latin-1 characters. Megabytes of text are thus escaped without decoding.
function escaped(part: Buffer): Buffer {
  const known = escapedParts.get(part);
  if (known) return known;
  const written = Buffer.from(JSON.stringify(part.toString('latin1')).slice(1, -1), 'latin1');
  escapedParts.set(part, written);
  return written;
}

/** The value of a message as sent. */
export const valueOf = ({ value }: OutboxMessage): Buffer | string =>
  typeof value === 'string' ? value : Buffer.concat(value);

/** Statement that adds the entries of a `serializeOutboxEntries` array in the given order. For small entries, because it encodes them twice. */
export const INSERT_OUTBOX_ENTRIES = `INSERT INTO outbox (${COLUMNS})
  SELECT shard, key, version, messages, traceparent, octet_length(messages::text)
    FROM json_to_recordset($1::json)
      AS e(shard smallint, key text, version integer, messages json, traceparent text)`;

/** The entries as the JSON array that is $1 of `INSERT_OUTBOX_ENTRIES`. */
export function serializeOutboxEntries(entries: readonly OutboxEntry[]): string {
  return JSON.stringify(
    entries.map(({ messages, ...entry }) => ({
      ...entry,
      shard: shardOf(entry.key),
      messages: messages.map((message) => ({ ...message, value: String(valueOf(message)) })),
    })),
  );
}
