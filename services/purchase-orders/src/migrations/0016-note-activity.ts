import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteActivity1795500000040 implements MigrationInterface {
  readonly name = 'NoteActivity1795500000040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE purchase_orders ADD COLUMN recent_activity json NOT NULL DEFAULT '[]'`);
    await runner.query('DROP INDEX history_vendor_order');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
