import { internalRows, vendorRows } from './access.js';

const TABLES = ['search_texts', 'search_parts'];

/** Texts by which orders are found, in separate tables, because their rows are narrower than those of orders. */
export const SEARCH = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- All words of an order, one per line.
CREATE TABLE search_texts (
  order_id integer PRIMARY KEY,
  vendor_code text NOT NULL,
  text text NOT NULL
) WITH (toast_tuple_target = 8160);
-- Their parts of one and two characters, which trigrams cannot find, one per line: an array takes three times the space. The service
-- computes them, because PostgreSQL takes a hundred times as long.
CREATE TABLE search_parts (
  order_id integer PRIMARY KEY,
  vendor_code text NOT NULL,
  parts text NOT NULL
) WITH (toast_tuple_target = 8160);

CREATE INDEX search_texts_trigrams ON search_texts USING gin (text gin_trgm_ops);
CREATE INDEX search_parts_lines ON search_parts USING gin (string_to_array(parts, E'\\n'));
-- For a vendor, which reads all words of its orders, because row-level security prevents the use of both indexes above.
CREATE INDEX search_texts_vendor ON search_texts (vendor_code);

${vendorRows('search_texts')}
${internalRows('search_parts')}
GRANT SELECT ON search_texts TO po_vendor;
GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLES.join(', ')} TO po_internal;
`;
