import { createIndexConcurrently, migrationAlone } from '@po/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is there, and what the version before this one adds, are transitions. */
export class Kinds1795000000011 implements MigrationInterface {
  readonly name = 'Kinds1795000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE transitions
        ADD COLUMN kind text NOT NULL DEFAULT 'TRANSITION',
        ADD COLUMN due_on date,
        ADD COLUMN step integer,
        ADD COLUMN title text,
        ADD COLUMN title_zh text`);
    await runner.query(`ALTER TABLE notifications ADD COLUMN kind text NOT NULL DEFAULT 'TRANSITION'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}

export const NotificationsByKind = migrationAlone('NotificationsByKind1795000000012', (runner) =>
  createIndexConcurrently(runner, 'notifications_kind', 'notifications (user_id, audience, kind, seq)'),
);
