import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users chose. No reference to users: a user may choose before their announcement arrives. */
export class Preferences1795000000013 implements MigrationInterface {
  readonly name = 'Preferences1795000000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE preferences (
        user_id text PRIMARY KEY,
        version integer NOT NULL,
        command_id text NOT NULL,
        locale text NOT NULL,
        time_zone text NOT NULL,
        mail jsonb NOT NULL,
        digest_at text NOT NULL,
        updated_at timestamptz(3) NOT NULL
      );
      ALTER TABLE preferences ENABLE ROW LEVEL SECURITY;
      ALTER TABLE preferences FORCE ROW LEVEL SECURITY;
      CREATE POLICY internal ON preferences TO notifications_internal USING (true) WITH CHECK (true);
      CREATE POLICY own ON preferences TO notifications_user
        USING (user_id = NULLIF(current_setting('app.user', true), ''))
        WITH CHECK (user_id = NULLIF(current_setting('app.user', true), ''));
      GRANT SELECT, DELETE ON preferences TO notifications_internal;
      GRANT SELECT, INSERT, UPDATE ON preferences TO notifications_user;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
