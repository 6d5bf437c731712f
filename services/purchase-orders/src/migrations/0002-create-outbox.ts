import { OUTBOX_DDL } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// A vendor's request may put records of the vendor's own orders into the outbox, and can read nothing there. The inner SELECT is
// itself under the vendor's policy on purchase_orders.
const ACCESS = `
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON outbox TO po_internal USING (true) WITH CHECK (true);
CREATE POLICY vendor ON outbox FOR INSERT TO po_vendor
  WITH CHECK (EXISTS (SELECT 1 FROM purchase_orders o WHERE o.po_number = outbox.key));
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox, outbox_leases TO po_internal;
GRANT INSERT ON outbox TO po_vendor;
`;

export class CreateOutbox1763000000002 implements MigrationInterface {
  readonly name = 'CreateOutbox1763000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OUTBOX_DDL);
    await runner.query(ACCESS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
