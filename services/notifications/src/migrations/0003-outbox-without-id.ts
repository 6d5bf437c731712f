import { OUTBOX_WITHOUT_ID } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OutboxWithoutId1795000000001 implements MigrationInterface {
  readonly name = 'OutboxWithoutId1795000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OUTBOX_WITHOUT_ID);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE outbox SET id = gen_random_uuid() WHERE id IS NULL');
    await runner.query('ALTER TABLE outbox ALTER COLUMN id SET NOT NULL');
  }
}
