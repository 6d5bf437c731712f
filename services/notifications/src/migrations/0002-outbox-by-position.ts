import { OUTBOX_BY_POSITION } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OutboxByPosition1795000000000 implements MigrationInterface {
  readonly name = 'OutboxByPosition1795000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OUTBOX_BY_POSITION);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX outbox_shard_position ON outbox (shard, position)');
  }
}
