import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FirstFailure1795200000000 implements MigrationInterface {
  readonly name = 'FirstFailure1795200000000';

  async up(runner: QueryRunner): Promise<void> {
    // Attempts end 48 hours after the first that failed. The time at which a mail was due says nothing of it: this service may have been away.
    await runner.query('ALTER TABLE mails ADD COLUMN first_failed_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mails DROP COLUMN first_failed_at');
  }
}
