import { type Migration, createIndexConcurrently, migrationAlone } from '@po/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LISTED } from './0007-index-lists.js';

// NULL in orders of the version before, which writes on while replicas are replaced: the upkeep of reminders fills them in.
const COLUMNS = `
ALTER TABLE purchase_orders
  ADD COLUMN reminders_generation integer,
  ADD COLUMN reminders_status_id smallint,
  ADD COLUMN reminders_xf_date date,
  ADD COLUMN reminders_moved_at timestamptz,
  ADD COLUMN waiting_since timestamptz,
  ADD COLUMN waiting_done_until timestamptz,
  ADD COLUMN waiting_first_due_at timestamptz,
  ADD COLUMN waiting_next_due_at timestamptz,
  ADD COLUMN overdue_since timestamptz,
  ADD COLUMN overdue_done_until timestamptz,
  ADD COLUMN overdue_first_due_at timestamptz,
  ADD COLUMN overdue_next_due_at timestamptz;

-- The settings that reminders were worked out with, the newest last.
CREATE TABLE reminder_settings (
  generation integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fingerprint text NOT NULL,
  -- When a process that has them was last seen.
  seen_at timestamptz NOT NULL
);
ALTER TABLE reminder_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE reminder_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON reminder_settings TO po_internal USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON reminder_settings TO po_internal;
`;

class AddReminders1795500000016 implements MigrationInterface {
  readonly name = 'AddReminders1795500000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}

const index = (migration: string, name: string, on: string): Migration =>
  migrationAlone(migration, (runner) => createIndexConcurrently(runner, name, `purchase_orders ${on}`));

const OPEN = 'status_id < 600';

export const REMINDERS: Migration[] = [
  AddReminders1795500000016,
  // What is due under the present settings, and what was worked out with older ones.
  index(
    'IndexDueReminders1795500000017',
    'purchase_orders_reminders',
    `(reminders_generation, LEAST(waiting_next_due_at, overdue_next_due_at)) WHERE ${OPEN}`,
  ),
  // Orders that the version before wrote, or moved.
  index(
    'IndexUnplannedReminders1795500000018',
    'purchase_orders_reminders_backlog',
    `(id) WHERE ${OPEN} AND (reminders_status_id, reminders_xf_date) IS DISTINCT FROM (status_id, xf_date)`,
  ),
  // The filter "due": orders of which the first step of some rule is due, and all that a list looks at.
  index(
    'ListByDue1795500000019',
    'purchase_orders_list_due',
    `(LEAST(waiting_first_due_at, overdue_first_due_at)) INCLUDE (${[...LISTED, 'waiting_first_due_at', 'overdue_first_due_at'].join(', ')})
     WHERE ${OPEN}`,
  ),
];
