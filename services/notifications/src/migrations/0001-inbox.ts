import { OUTBOX_DDL } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const OWN = `user_id = NULLIF(current_setting('app.user', true), '')`;

export class Inbox1763712000000 implements MigrationInterface {
  readonly name = 'Inbox1763712000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        user_id text PRIMARY KEY,
        role text NOT NULL,
        vendor_code text,
        email text,
        locale text,
        seen_at timestamptz(3) NOT NULL,
        last_seq integer NOT NULL DEFAULT 0
      );
      CREATE INDEX users_vendor ON users (vendor_code) WHERE role = 'VENDOR';
      CREATE INDEX users_buyer ON users (lower(email)) WHERE role = 'BUYER';

      CREATE TABLE transitions (
        history_id text PRIMARY KEY,
        po_ref text NOT NULL,
        po_number text NOT NULL,
        vendor_code text NOT NULL,
        vendor text NOT NULL,
        buyer_email text,
        action text NOT NULL,
        from_status_id integer,
        to_status_id integer NOT NULL,
        to_status text NOT NULL,
        to_status_zh text NOT NULL,
        status_color text NOT NULL,
        comment text,
        actor_id text,
        actor_name text,
        actor_role text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        to_vendor boolean NOT NULL,
        to_buyers text NOT NULL CHECK (to_buyers IN ('none', 'own', 'every'))
      );
      CREATE INDEX transitions_vendor ON transitions (vendor_code, occurred_at DESC) WHERE to_vendor;
      CREATE INDEX transitions_buyers ON transitions (occurred_at DESC) WHERE to_buyers <> 'none';

      CREATE TABLE notifications (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        user_id text NOT NULL REFERENCES users,
        audience text NOT NULL,
        seq integer NOT NULL,
        history_id text NOT NULL REFERENCES transitions,
        created_at timestamptz(3) NOT NULL,
        read_at timestamptz(3),
        UNIQUE (user_id, history_id),
        UNIQUE (user_id, audience, seq)
      );
      CREATE INDEX notifications_unread ON notifications (user_id, audience, seq) WHERE read_at IS NULL;

      CREATE TABLE watermarks (
        user_id text NOT NULL,
        command_id text NOT NULL,
        audience text NOT NULL,
        seq integer NOT NULL,
        at timestamptz(3) NOT NULL,
        PRIMARY KEY (user_id, command_id)
      );
      CREATE INDEX watermarks_seq ON watermarks (user_id, audience, seq, at);

      ${OUTBOX_DDL}

      GRANT USAGE ON SCHEMA public TO notifications_internal, notifications_user;
      GRANT SELECT ON migrations TO notifications_internal;
      GRANT SELECT, INSERT, UPDATE, DELETE ON outbox, outbox_leases TO notifications_internal;
      GRANT SELECT, INSERT, UPDATE ON users TO notifications_internal;
      GRANT SELECT, INSERT ON transitions, notifications TO notifications_internal;
      GRANT SELECT (user_id, last_seq) ON users TO notifications_user;
      GRANT SELECT ON transitions, notifications TO notifications_user;
      GRANT UPDATE (read_at) ON notifications TO notifications_user;
      GRANT SELECT, INSERT ON watermarks TO notifications_user;
    `);
    for (const table of ['users', 'transitions', 'notifications', 'watermarks']) {
      await runner.query(`
        ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY internal ON ${table} TO notifications_internal USING (true) WITH CHECK (true);
      `);
    }
    for (const table of ['users', 'notifications', 'watermarks']) {
      await runner.query(`CREATE POLICY own ON ${table} TO notifications_user USING (${OWN}) WITH CHECK (${OWN})`);
    }
    // The subquery is itself under the policy of notifications: a user sees the transitions they were told of, no others.
    await runner.query(`
      CREATE POLICY own ON transitions FOR SELECT TO notifications_user
       USING (EXISTS (SELECT 1 FROM notifications n WHERE n.history_id = transitions.history_id AND n.${OWN}))
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE watermarks, notifications, transitions, users, outbox, outbox_leases');
  }
}
