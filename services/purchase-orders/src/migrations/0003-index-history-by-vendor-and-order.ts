import { OUTBOX_BY_POSITION } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// The history of one order as a vendor may read it. Without an index of both, PostgreSQL intersects the order's entries with all of
// the vendor's, until it has statistics that tell it how many those are.
const HISTORY = 'CREATE INDEX history_vendor_order ON history (vendor_code, order_id, sequence)';

export class IndexHistoryByVendorAndOrder1763000000003 implements MigrationInterface {
  readonly name = 'IndexHistoryByVendorAndOrder1763000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(HISTORY);
    await runner.query(OUTBOX_BY_POSITION);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
