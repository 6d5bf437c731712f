import { OUTBOX_BYTES } from '@po/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MeasureOutbox1763000000005 implements MigrationInterface {
  readonly name = 'MeasureOutbox1763000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OUTBOX_BYTES);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
