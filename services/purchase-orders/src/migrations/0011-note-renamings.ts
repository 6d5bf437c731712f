import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version before this one renames vendors without noting when: what it renames while replicas are replaced counts as never renamed. */
export class NoteRenamings1795500000015 implements MigrationInterface {
  readonly name = 'NoteRenamings1795500000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE vendors ADD COLUMN renamed_at timestamptz(3)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
