import { OUTBOX_RESTATEMENTS } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const ACCESS = `
ALTER TABLE outbox_restatements ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox_restatements FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON outbox_restatements TO po_internal USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_restatements TO po_internal;
`;

export class NoteRestatements1795500000014 implements MigrationInterface {
  readonly name = 'NoteRestatements1795500000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OUTBOX_RESTATEMENTS);
    await runner.query(ACCESS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
