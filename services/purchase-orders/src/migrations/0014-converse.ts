import type { MigrationInterface, QueryRunner } from 'typeorm';

const MESSAGES = `
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
-- Who wrote what both sides see.
CREATE INDEX messages_authors ON messages (order_id, author_id) WHERE visibility = 'all';

-- No vendor's statement sees or writes an internal message, whatever its conditions are.
CREATE POLICY vendor ON messages TO po_vendor
  USING (vendor_code = NULLIF(current_setting('app.vendor', true), '') AND visibility = 'all')
  WITH CHECK (vendor_code = NULLIF(current_setting('app.vendor', true), '') AND visibility = 'all');
GRANT SELECT, INSERT ON messages TO po_internal, po_vendor;
`;

const DIRECTORY = `
-- Users as their newest token described them. Of one who was deleted only that is left.
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

-- Internal users too: those of them who are involved in one of the vendor's orders are shown.
CREATE POLICY vendor ON directory FOR SELECT TO po_vendor
  USING (NULLIF(current_setting('app.vendor', true), '') IS NOT NULL
         AND (role <> 'VENDOR' OR vendor_code = current_setting('app.vendor', true)));
GRANT SELECT, INSERT, UPDATE ON directory TO po_internal;
GRANT SELECT ON directory TO po_vendor;
`;

const closed = (table: string) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON ${table} TO po_internal USING (true) WITH CHECK (true);`;

export class Converse1795500000030 implements MigrationInterface {
  readonly name = 'Converse1795500000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MESSAGES);
    await runner.query(DIRECTORY);
    for (const table of ['messages', 'directory']) await runner.query(closed(table));
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
