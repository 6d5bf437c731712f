import type { Migration } from '@po/database';
import type { QueryRunner } from 'typeorm';

/** An index that is built while others write. What an interrupted build left is dropped, and built anew. */
function index(migration: string, name: string, definition: (name: string) => string): Migration {
  return class {
    readonly name = migration;
    readonly transaction = false;

    async up(runner: QueryRunner): Promise<void> {
      // It takes long and waits for every transaction that is older, but nobody waits for it.
      await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
      try {
        await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
        await runner.query(definition(name));
      } finally {
        await runner.query('RESET statement_timeout; RESET lock_timeout');
      }
    }

    down(): Promise<void> {
      return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
    }
  };
}

/** Entry first, which tells whether anybody still needs its transition; it replaces the index that begins with the user. */
export const NotificationsByEntry = index(
  'NotificationsByEntry1795000000005',
  'notifications_entry',
  (name) => `CREATE UNIQUE INDEX CONCURRENTLY ${name} ON notifications (history_id, user_id)`,
);
export const NotificationsByAge = index(
  'NotificationsByAge1795000000006',
  'notifications_age',
  (name) => `CREATE INDEX CONCURRENTLY ${name} ON notifications (created_at)`,
);
export const NotificationsByReading = index(
  'NotificationsByReading1795000000007',
  'notifications_read',
  (name) => `CREATE INDEX CONCURRENTLY ${name} ON notifications (read_at) WHERE read_at IS NOT NULL`,
);
export const WatermarksByAge = index(
  'WatermarksByAge1795000000008',
  'watermarks_age',
  (name) => `CREATE INDEX CONCURRENTLY ${name} ON watermarks (at)`,
);
