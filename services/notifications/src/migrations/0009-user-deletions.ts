import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version before this one knows a deleted user by a role that receives nothing, and leaves the column alone. */
export class UserDeletions1795000000010 implements MigrationInterface {
  readonly name = 'UserDeletions1795000000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN deleted_at timestamptz(3)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
