import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The internal role may delete what is not needed any more. */
export class AllowRetention1795000000009 implements MigrationInterface {
  readonly name = 'AllowRetention1795000000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT DELETE ON notifications, transitions TO notifications_internal');
    await runner.query('GRANT SELECT, DELETE ON watermarks TO notifications_internal');
    // Its index is that of notifications_entry, the other way round.
    await runner.query('ALTER TABLE notifications DROP CONSTRAINT notifications_user_id_history_id_key');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
