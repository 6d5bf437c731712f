import { vendorRows } from './access.js';

const TABLES = ['search_entries', 'search_postings', 'search_texts'];

/**
 * What orders are found by: texts, each stored once however many orders have it, and which order has which. A text's id is a hash of it
 * and of its vendor, so that it can be written without being looked up; there is no foreign key for the same reason.
 */
export const SEARCH = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

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
-- Orders that a version wrote which knows no search entries: see the search backlog.
CREATE INDEX purchase_orders_search_backlog ON purchase_orders (id) INCLUDE (vendor_code) WHERE right(search_text, 1) <> E'\\n';

${TABLES.map((table) => vendorRows(table)).join('')}
GRANT SELECT ON ${TABLES.join(', ')} TO po_vendor;
GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLES.join(', ')} TO po_internal;
`;
