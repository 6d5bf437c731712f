import { internalRows, vendorRows } from './access.js';

const TABLES = ['search_texts', 'search_parts'];

/** What orders are found by, in tables of their own: what a search looks at is narrower than a row of an order. */
export const SEARCH = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- All words of an order, one a line.
CREATE TABLE search_texts (
  order_id integer PRIMARY KEY,
  vendor_code text NOT NULL,
  text text NOT NULL
) WITH (toast_tuple_target = 8160);
-- Their parts of one and two characters, which no trigram tells, one a line: an array takes three times the space. Written, because
-- PostgreSQL takes a hundred times as long to find them.
CREATE TABLE search_parts (
  order_id integer PRIMARY KEY,
  vendor_code text NOT NULL,
  parts text NOT NULL
) WITH (toast_tuple_target = 8160);

CREATE INDEX search_texts_trigrams ON search_texts USING gin (text gin_trgm_ops);
CREATE INDEX search_parts_lines ON search_parts USING gin (string_to_array(parts, E'\\n'));
-- The words of a vendor's orders: it reads them all, because row-level security keeps it from both of the above.
CREATE INDEX search_texts_vendor ON search_texts (vendor_code);

${vendorRows('search_texts')}
${internalRows('search_parts')}
GRANT SELECT ON search_texts TO po_vendor;
GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLES.join(', ')} TO po_internal;
`;
