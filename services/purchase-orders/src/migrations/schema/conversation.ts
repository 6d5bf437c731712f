import { OWN_VENDOR, internalRows, vendorRows } from './access.js';

/** Messages, and the users who can be mentioned in them. */
export const CONVERSATION = `
-- Like history, a message repeats its order's vendor for row-level security.
CREATE TABLE messages (
  id uuid PRIMARY KEY,
  order_id integer NOT NULL,
  po_number text NOT NULL,
  vendor_code text NOT NULL,
  visibility text NOT NULL CHECK (visibility IN ('all', 'internal')),
  body text NOT NULL,
  rows json NOT NULL,
  mentions json NOT NULL,
  author_id text NOT NULL,
  author_name text,
  author_role text NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (vendor_code, order_id) REFERENCES purchase_orders (vendor_code, id)
);
CREATE INDEX messages_order ON messages (order_id, id DESC);
-- Authors of messages that both sides see.
CREATE INDEX messages_authors ON messages (order_id, author_id) WHERE visibility = 'all';

-- No statement of a vendor reads or writes an internal message, whatever its conditions are.
${vendorRows('messages', { also: "visibility = 'all'" })}
GRANT SELECT, INSERT ON messages TO po_internal, po_vendor;

-- Users as their newest token described them. A deleted user keeps only the id and the times.
CREATE TABLE directory (
  user_id text PRIMARY KEY,
  name text,
  name_key text,
  role text,
  vendor_code text,
  seen_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX directory_vendor ON directory (vendor_code) WHERE role = 'VENDOR';

${internalRows('directory')}
-- Includes internal users, because those who are involved in one of the vendor's orders are shown.
CREATE POLICY vendor ON directory FOR SELECT TO po_vendor
  USING (${OWN_VENDOR} IS NOT NULL
         AND (role <> 'VENDOR' OR vendor_code = current_setting('app.vendor', true)));
GRANT SELECT, INSERT, UPDATE ON directory TO po_internal;
GRANT SELECT ON directory TO po_vendor;
`;
