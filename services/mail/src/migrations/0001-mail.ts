import { migration } from '@po/database';

export const MAIL = migration('Mail1795100000000', async (runner) => {
  await runner.query(`
      -- Users as described by their newest token; changed_at: since when they have this role and vendor.
      CREATE TABLE recipients (
        user_id text PRIMARY KEY,
        role text NOT NULL,
        vendor_code text,
        seen_at timestamptz(3) NOT NULL,
        changed_at timestamptz(3) NOT NULL
      );

      -- An open mail collects notifications for its user until it is due. For a closed mail, due_at is its next attempt.
      CREATE TABLE mails (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        user_id text NOT NULL,
        mode text NOT NULL CHECK (mode IN ('now', 'digest')),
        open boolean NOT NULL DEFAULT true,
        due_at timestamptz(3) NOT NULL,
        first_due_at timestamptz(3) NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        done_at timestamptz(3),
        outcome text
      );
      CREATE UNIQUE INDEX mails_open ON mails (user_id, mode) WHERE open;
      CREATE INDEX mails_due ON mails (due_at) WHERE done_at IS NULL;
      CREATE INDEX mails_done ON mails (done_at) WHERE done_at IS NOT NULL;

      -- A received notification. Its content is deleted when it is sent or must not be sent; its id remains, to detect duplicates.
      CREATE TABLE entries (
        notification_id text PRIMARY KEY,
        mail_id uuid NOT NULL REFERENCES mails ON DELETE CASCADE,
        user_id text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        content json
      );
      CREATE INDEX entries_mail ON entries (mail_id);
      CREATE INDEX entries_waiting ON entries (user_id) WHERE content IS NOT NULL;

      CREATE TABLE suppressions (
        address text PRIMARY KEY,
        reason text NOT NULL,
        failures integer NOT NULL,
        since timestamptz(3) NOT NULL,
        until timestamptz(3)
      );

      -- Signs the tokens of unsubscribe links. Created here, because no other service needs it.
      CREATE TABLE unsubscribe_key (
        id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
        key bytea NOT NULL
      );
      INSERT INTO unsubscribe_key (key)
      VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

      GRANT USAGE ON SCHEMA public TO mail_internal;
      GRANT SELECT ON migrations, unsubscribe_key TO mail_internal;
      GRANT SELECT, INSERT, UPDATE ON recipients TO mail_internal;
      GRANT SELECT, INSERT, UPDATE, DELETE ON mails, entries, suppressions TO mail_internal;
    `);
});
