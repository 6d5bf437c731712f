const OUTBOX_SHARDS = 16;

/** A record to publish under its entry's key; `value` is JSON text, or its bytes in parts. */
export interface OutboxMessage {
  topic: string;
  headers: Record<string, string>;
  value: string | readonly Buffer[];
}

/** The messages that one change publishes, in this order. */
export interface OutboxEntry {
  key: string;
  version: number;
  messages: OutboxMessage[];
  traceparent: string;
}

/**
 * The outbox tables. `position` is drawn while the key's own row lock is held, so it orders the entries of one key (not of the
 * whole table: transactions commit in another order than they draw). There is no index of shard and position: by it the relay's question is
 * a bitmap scan, which reads the entries of deleted rows again and again; in the order of the primary key it passes each once.
 */
export const OUTBOX_DDL = `
CREATE TABLE outbox (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shard smallint NOT NULL,
  key text NOT NULL,
  version integer NOT NULL,
  messages json NOT NULL,
  -- Of "messages": what the relay reads at once is bounded by it.
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

/** For an outbox of which the last state of a key counts: the keys whose state must be published again. */
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
/** How many parameters an entry is. */
export const OUTBOX_PARAMETERS = TYPES.length;

const parametersFrom = (first: number): string => TYPES.map((type, index) => `$${first + index}::${type}`).join(', ');

/**
 * Adds one entry inside the caller's transaction, for each row of `from`: it is published if, and only if, that commits. The parameters
 * from `$first` on are those of `outboxValues`.
 */
export function insertOutboxEntry(first: number, from: string): string {
  return `INSERT INTO outbox (${COLUMNS}) SELECT ${parametersFrom(first)} FROM ${from}`;
}

export function outboxValues(entry: OutboxEntry): unknown[] {
  const { key, version, messages, traceparent } = entry;
  const written = writtenMessages(messages);
  return [shardOf(key), key, version, written, traceparent, written.length];
}

/** Adds so many entries, in the order given; its parameters are the `outboxValues` of one after the other. */
export function insertOutboxEntries(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `(${parametersFrom(1 + OUTBOX_PARAMETERS * index)})`);
  return `INSERT INTO outbox (${COLUMNS}) VALUES ${rows.join(', ')}`;
}

function writtenMessages(messages: readonly OutboxMessage[]): Buffer {
  const parts = messages.flatMap(({ topic, headers, value }, index) => [
    Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify({ topic, headers }).slice(0, -1)},"value":"`),
    ...(typeof value === 'string' ? [Buffer.from(JSON.stringify(value).slice(1, -1))] : value.map(escaped)),
    Buffer.from('"}'),
  ]);
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}

const escapedParts = new WeakMap<Buffer, Buffer>();

// Most parts of a large value are those of the one before it. Only ASCII is escaped in JSON. A byte of UTF-8 that is none passes for a
// character of its own, and stays what it is: so a text of megabytes is escaped without being decoded.
function escaped(part: Buffer): Buffer {
  const known = escapedParts.get(part);
  if (known) return known;
  const written = Buffer.from(JSON.stringify(part.toString('latin1')).slice(1, -1), 'latin1');
  escapedParts.set(part, written);
  return written;
}

/** A message's value as it is sent. */
export const valueOf = ({ value }: OutboxMessage): Buffer | string =>
  typeof value === 'string' ? value : Buffer.concat(value);

/** Adds the entries of a JSON array made by `outboxJson`, in the order given: for small ones, which are encoded twice by this. */
export const INSERT_OUTBOX_ENTRIES = `INSERT INTO outbox (${COLUMNS})
  SELECT shard, key, version, messages, traceparent, octet_length(messages::text)
    FROM json_to_recordset($1::json)
      AS e(shard smallint, key text, version integer, messages json, traceparent text)`;

export function outboxJson(entries: readonly OutboxEntry[]): string {
  return JSON.stringify(
    entries.map(({ messages, ...entry }) => ({
      ...entry,
      shard: shardOf(entry.key),
      messages: messages.map((message) => ({ ...message, value: String(valueOf(message)) })),
    })),
  );
}
