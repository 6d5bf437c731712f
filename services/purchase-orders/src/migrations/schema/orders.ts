import { internalRows, vendorRows } from './access.js';

/** Orders, their lines and their history, the vendors, and the settings of reminders. */
export const ORDERS = `
CREATE TABLE vendors (
  code text PRIMARY KEY,
  code_key text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  -- NULL while the vendor has its first name.
  renamed_at timestamptz(3)
);
CREATE INDEX vendors_code_key ON vendors (code_key);
CREATE INDEX vendors_name_key ON vendors (name_key, name);

CREATE TABLE purchase_orders (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  po_number text NOT NULL UNIQUE,
  vendor_code text NOT NULL REFERENCES vendors,
  status_id smallint NOT NULL CHECK (status_id IN (100, 150, 200, 300, 400, 500, 600, 900)),
  version integer NOT NULL CHECK (version >= 1),
  sequence integer NOT NULL CHECK (sequence >= 0),
  source_revision bigint NOT NULL,
  po_date date NOT NULL,
  currency text NOT NULL,
  season text, brand text, ship_mode text, trade_term text, payment_term text, destination text,
  buyer_name text, buyer_email text, remarks text,
  original_xfd date NOT NULL,
  source_xfd date NOT NULL,
  vendor_reply_xfd date,
  agreed_xfd date,
  xfd_source_changed boolean NOT NULL,
  xfd_edited boolean NOT NULL,
  original_factory text, source_factory text, vendor_reply_factory text, agreed_factory text,
  factory_source_changed boolean NOT NULL,
  factory_edited boolean NOT NULL,
  vendor_reply_comment text, comment_baseline text, comment_edited boolean NOT NULL, comment_recorded text,
  container_number text, container_baseline text, container_edited boolean NOT NULL, container_recorded text,
  tracking_number text, tracking_baseline text, tracking_edited boolean NOT NULL, tracking_recorded text,
  agreed_at timestamptz,
  has_source_conflict boolean NOT NULL,
  xf_date date NOT NULL,
  amount numeric(28,2) NOT NULL,
  original_amount numeric(28,2) NOT NULL,
  total_qty bigint NOT NULL,
  original_total_qty bigint NOT NULL,
  line_count integer NOT NULL,
  has_pending_changes boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  last_synced_at timestamptz NOT NULL,
  -- The last status changes, as published.
  recent_activity json NOT NULL DEFAULT '[]',
  -- Digest of the source's last message.
  source_digest text,
  -- Generation of the settings that its reminders were computed with.
  reminders_generation integer NOT NULL,
  reminders_moved_at timestamptz,
  waiting_since timestamptz,
  waiting_done_until timestamptz,
  waiting_first_due_at timestamptz,
  waiting_next_due_at timestamptz,
  overdue_since timestamptz,
  overdue_done_until timestamptz,
  overdue_first_due_at timestamptz,
  overdue_next_due_at timestamptz,
  UNIQUE (vendor_code, id)
);

-- Line items and history repeat their order's vendor for row-level security; the foreign keys ensure that it is the order's vendor.
CREATE TABLE line_items (
  order_id integer NOT NULL,
  code text NOT NULL, style text NOT NULL, color text NOT NULL,
  vendor_code text NOT NULL,
  row_count integer NOT NULL,
  source json NOT NULL,
  negotiated json,
  PRIMARY KEY (order_id, code, style, color),
  FOREIGN KEY (vendor_code, order_id) REFERENCES purchase_orders (vendor_code, id)
);

CREATE TABLE history (
  id uuid PRIMARY KEY,
  order_id integer NOT NULL,
  po_number text NOT NULL,
  vendor_code text NOT NULL,
  sequence integer NOT NULL,
  po_version integer NOT NULL,
  action text NOT NULL,
  from_status_id smallint,
  to_status_id smallint NOT NULL,
  comment text,
  actor_id text,
  actor_name text,
  actor_role text NOT NULL,
  occurred_at timestamptz NOT NULL,
  changes json,
  agreed json,
  -- For SUBMIT only: the differences that policies evaluate.
  submission json,
  UNIQUE (order_id, sequence),
  FOREIGN KEY (vendor_code, order_id) REFERENCES purchase_orders (vendor_code, id)
);
CREATE INDEX history_activity ON history (occurred_at DESC, id DESC) WHERE from_status_id <> to_status_id;
CREATE INDEX history_vendor_activity ON history (vendor_code, occurred_at DESC, id DESC) WHERE from_status_id <> to_status_id;
-- The submissions that a preview evaluates, and the approvals of the last days, which a dashboard counts by an index-only scan.
CREATE INDEX history_submissions_and_approvals ON history (action, occurred_at DESC) INCLUDE (vendor_code, actor_role, id)
  WHERE action IN ('SUBMIT', 'APPROVE');

-- The settings that reminders were computed with, newest last.
CREATE TABLE reminder_settings (
  generation integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fingerprint text NOT NULL,
  -- When a process with these settings was last seen.
  seen_at timestamptz NOT NULL
);

CREATE TABLE source_cancellations (
  po_number text PRIMARY KEY,
  source_revision bigint NOT NULL
);

${vendorRows('vendors', { column: 'code' })}
${['purchase_orders', 'line_items', 'history'].map((table) => vendorRows(table)).join('')}
${['reminder_settings', 'source_cancellations'].map(internalRows).join('')}

GRANT SELECT, INSERT, UPDATE ON vendors, purchase_orders, line_items, reminder_settings, source_cancellations TO po_internal;
-- Orders are created with ids that were drawn from the sequence before.
GRANT USAGE ON SEQUENCE purchase_orders_id_seq TO po_internal;
GRANT SELECT, INSERT ON history TO po_internal;
GRANT SELECT ON vendors TO po_vendor;
GRANT SELECT, UPDATE ON purchase_orders TO po_vendor;
-- Only the inventory system adds and removes lines.
GRANT SELECT, UPDATE (negotiated) ON line_items TO po_vendor;
GRANT SELECT, INSERT ON history TO po_vendor;
`;
