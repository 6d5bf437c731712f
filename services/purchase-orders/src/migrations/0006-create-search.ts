import type { MigrationInterface, QueryRunner } from 'typeorm';

// What orders are found by: texts, each stored once however many orders have it, and which order has which. A text's id is a hash of it
// and of its vendor, so that it can be written without being looked up; there is no foreign key for the same reason.
const TABLES = `
-- Of the source's last message; its orders are created under ids that were drawn before.
ALTER TABLE purchase_orders ADD COLUMN source_digest text;
GRANT USAGE ON SEQUENCE purchase_orders_id_seq TO po_internal;

CREATE TABLE search_entries (
  id uuid PRIMARY KEY,
  vendor_code text NOT NULL,
  text text NOT NULL,
  -- Its parts of one and two characters, which no trigram tells. Written, because PostgreSQL takes a hundred times as long to find them.
  short_grams text[] NOT NULL
);
-- All words of an order, one a line, in a table of their own: a row of its order is three times as wide. In UTF-8: PostgreSQL
-- looks at bytes in two thirds of the time that it takes for characters.
CREATE TABLE search_texts (
  order_id integer PRIMARY KEY,
  vendor_code text NOT NULL,
  text bytea NOT NULL
) WITH (toast_tuple_target = 8160);
CREATE TABLE search_postings (
  order_id integer NOT NULL,
  entry_id uuid NOT NULL,
  vendor_code text NOT NULL,
  PRIMARY KEY (order_id, entry_id)
);

-- Which texts have three characters or more of a search term, which have one or two.
CREATE INDEX search_entries_trigrams ON search_entries USING gin (text gin_trgm_ops);
CREATE INDEX search_entries_short_grams ON search_entries USING gin (short_grams);
-- A vendor's texts: it reads them all, because row-level security keeps it from both of the above.
CREATE INDEX search_entries_vendor ON search_entries (vendor_code);
-- The words of a vendor's orders.
CREATE INDEX search_texts_vendor ON search_texts (vendor_code);
-- Which orders have a text.
CREATE INDEX search_postings_entry ON search_postings (entry_id, order_id) INCLUDE (vendor_code);
`;

const own = `vendor_code = NULLIF(current_setting('app.vendor', true), '')`;
const policies = (table: string) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON ${table} TO po_internal USING (true) WITH CHECK (true);
CREATE POLICY vendor ON ${table} TO po_vendor USING (${own}) WITH CHECK (${own});
GRANT SELECT ON ${table} TO po_vendor;
GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO po_internal;`;

export class CreateSearch1795500000001 implements MigrationInterface {
  readonly name = 'CreateSearch1795500000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of ['search_entries', 'search_postings', 'search_texts']) await runner.query(policies(table));
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
