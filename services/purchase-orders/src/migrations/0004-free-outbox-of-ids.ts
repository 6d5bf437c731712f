import { OUTBOX_WITHOUT_ID } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FreeOutboxOfIds1763000000004 implements MigrationInterface {
  readonly name = 'FreeOutboxOfIds1763000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OUTBOX_WITHOUT_ID);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
