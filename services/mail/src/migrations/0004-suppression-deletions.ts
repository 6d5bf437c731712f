import { migration } from '@po/database';

/** Idempotency records of deleted suppressions. */
export const SUPPRESSION_DELETIONS = migration('SuppressionDeletions1796700000000', async (runner) => {
  await runner.query(`
    CREATE TABLE suppression_deletions (
      key_hash text PRIMARY KEY,
      command_id text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now()
    );
    GRANT SELECT, INSERT, DELETE ON suppression_deletions TO mail_internal;`);
});
