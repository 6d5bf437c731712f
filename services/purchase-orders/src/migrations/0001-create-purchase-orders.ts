import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE vendors (
  code text PRIMARY KEY,
  code_key text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL
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
  search_text text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  last_synced_at timestamptz NOT NULL,
  UNIQUE (vendor_code, id)
);
CREATE INDEX purchase_orders_vendor_status_date ON purchase_orders (vendor_code, status_id, po_date);
CREATE INDEX purchase_orders_status ON purchase_orders (status_id, id);
CREATE INDEX purchase_orders_po_date ON purchase_orders (po_date, id);
CREATE INDEX purchase_orders_xf_date ON purchase_orders (xf_date, id);
CREATE INDEX purchase_orders_amount ON purchase_orders (amount, id);
CREATE INDEX purchase_orders_pending ON purchase_orders (id) WHERE has_pending_changes;
CREATE INDEX purchase_orders_conflict ON purchase_orders (id) WHERE has_source_conflict;
CREATE INDEX purchase_orders_search ON purchase_orders USING gin (search_text gin_trgm_ops);

-- Cells and history repeat their order's vendor for row-level security; the keys make sure that it is the order's own.
CREATE TABLE cells (
  order_id integer NOT NULL,
  row_hash text NOT NULL,
  vendor_code text NOT NULL,
  position integer NOT NULL,
  line_id text NOT NULL,
  code text NOT NULL, style text NOT NULL, color text NOT NULL, size text NOT NULL,
  sku text,
  original_qty integer NOT NULL,
  source_qty integer NOT NULL,
  vendor_reply_qty integer,
  agreed_qty integer,
  qty_source_changed boolean NOT NULL,
  qty_edited boolean NOT NULL,
  original_unit_price numeric(14,4) NOT NULL,
  source_unit_price numeric(14,4) NOT NULL,
  vendor_reply_unit_price numeric(14,4),
  agreed_unit_price numeric(14,4),
  price_source_changed boolean NOT NULL,
  price_edited boolean NOT NULL,
  removed boolean NOT NULL,
  removal_echoed boolean NOT NULL,
  PRIMARY KEY (order_id, row_hash),
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
  UNIQUE (order_id, sequence),
  FOREIGN KEY (vendor_code, order_id) REFERENCES purchase_orders (vendor_code, id)
);
CREATE INDEX history_activity ON history (occurred_at DESC, id DESC) WHERE from_status_id <> to_status_id;
CREATE INDEX history_vendor_activity ON history (vendor_code, occurred_at DESC, id DESC) WHERE from_status_id <> to_status_id;

CREATE TABLE command_log (
  key_hash text PRIMARY KEY,
  vendor_code text,
  command_id text NOT NULL,
  body_hash text NOT NULL,
  status smallint NOT NULL,
  headers json NOT NULL,
  body text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX command_log_expiry ON command_log (expires_at);

CREATE TABLE command_refusals (
  command_id text PRIMARY KEY,
  vendor_code text,
  code text NOT NULL,
  members json NOT NULL,
  options json NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX command_refusals_expiry ON command_refusals (expires_at);

CREATE TABLE source_cancellations (
  po_number text PRIMARY KEY,
  source_revision bigint NOT NULL
);
`;

const WITH_VENDOR_CODE = ['purchase_orders', 'cells', 'history', 'command_log', 'command_refusals'];

// Two roles with a policy each, not one policy with OR: with OR a search over all orders could not use the trigram index.
const internalPolicy = (table: string) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON ${table} TO po_internal USING (true) WITH CHECK (true);`;

const vendorPolicy = (table: string, column = 'vendor_code') => {
  const own = `${column} = NULLIF(current_setting('app.vendor', true), '')`;
  return `CREATE POLICY vendor ON ${table} TO po_vendor USING (${own}) WITH CHECK (${own});`;
};

const GRANTS = `
GRANT USAGE ON SCHEMA public TO po_internal, po_vendor;
GRANT SELECT ON migrations TO po_internal;
GRANT SELECT, INSERT, UPDATE ON vendors, purchase_orders, cells, source_cancellations TO po_internal;
GRANT SELECT, INSERT ON history TO po_internal;
GRANT SELECT, INSERT, UPDATE, DELETE ON command_log, command_refusals TO po_internal;
GRANT SELECT ON vendors TO po_vendor;
GRANT SELECT, UPDATE ON purchase_orders TO po_vendor;
GRANT SELECT, INSERT, UPDATE ON cells, command_log, command_refusals TO po_vendor;
GRANT SELECT, INSERT ON history TO po_vendor;
`;

export class CreatePurchaseOrders1763000000001 implements MigrationInterface {
  readonly name = 'CreatePurchaseOrders1763000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of [...WITH_VENDOR_CODE, 'vendors', 'source_cancellations']) {
      await runner.query(internalPolicy(table));
    }
    for (const table of WITH_VENDOR_CODE) await runner.query(vendorPolicy(table));
    await runner.query(vendorPolicy('vendors', 'code'));
    await runner.query(GRANTS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
