import type { MigrationInterface, QueryRunner } from 'typeorm';

const USER = `NULLIF(current_setting('app.user', true), '')`;

/** Stored selections of the list of orders. No reference to users: a user may store one before their announcement arrives. */
export class Views1795000000014 implements MigrationInterface {
  readonly name = 'Views1795000000014';

  // An ADMIN may make somebody else's view private: the row is checked after that, too.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE views (
        id text PRIMARY KEY,
        side text NOT NULL,
        owner_id text NOT NULL,
        owner_name text,
        name text NOT NULL,
        query jsonb NOT NULL,
        columns text[],
        shared boolean NOT NULL,
        version integer NOT NULL,
        command_id text NOT NULL,
        body_hash text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      );
      CREATE INDEX views_owner ON views (owner_id, side);
      CREATE INDEX views_shared ON views (side) WHERE shared;
      ALTER TABLE views ENABLE ROW LEVEL SECURITY;
      ALTER TABLE views FORCE ROW LEVEL SECURITY;
      CREATE POLICY internal ON views TO notifications_internal USING (true) WITH CHECK (true);
      CREATE POLICY of_side ON views TO notifications_user
        USING (side = NULLIF(current_setting('app.side', true), '')
               AND (owner_id = ${USER} OR shared OR current_setting('app.role', true) = 'ADMIN'));
      CREATE POLICY own_when_new ON views AS RESTRICTIVE FOR INSERT TO notifications_user WITH CHECK (owner_id = ${USER});
      GRANT SELECT, DELETE ON views TO notifications_internal;
      GRANT SELECT, INSERT, UPDATE, DELETE ON views TO notifications_user;
      GRANT SELECT (role) ON users TO notifications_user;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
