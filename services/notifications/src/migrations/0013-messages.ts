import { createIndexConcurrently, migrationAlone } from '@po/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries of messages, and who wrote in the thread of an order. The version before this one reads and adds no entry of a message. */
export class Messages1795000000030 implements MigrationInterface {
  readonly name = 'Messages1795000000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE transitions
        ADD COLUMN internal boolean NOT NULL DEFAULT false,
        ADD COLUMN named text[]`);
    await runner.query(`
      CREATE TABLE message_authors (
        po_ref text NOT NULL,
        user_id text NOT NULL,
        first_message_id text NOT NULL,
        last_at timestamptz(3) NOT NULL,
        PRIMARY KEY (po_ref, user_id)
      );
      CREATE INDEX message_authors_user ON message_authors (user_id);
      ALTER TABLE message_authors ENABLE ROW LEVEL SECURITY;
      ALTER TABLE message_authors FORCE ROW LEVEL SECURITY;
      CREATE POLICY internal ON message_authors TO notifications_internal USING (true) WITH CHECK (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON message_authors TO notifications_internal;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}

export const EntriesByNamedUser = migrationAlone('EntriesByNamedUser1795000000031', (runner) =>
  createIndexConcurrently(runner, 'transitions_named', 'transitions USING gin (named) WHERE named IS NOT NULL'),
);
