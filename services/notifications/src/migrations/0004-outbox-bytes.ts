import { OUTBOX_BYTES } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OutboxBytes1795000000002 implements MigrationInterface {
  readonly name = 'OutboxBytes1795000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OUTBOX_BYTES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox DROP COLUMN bytes');
  }
}
