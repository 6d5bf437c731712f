import { type MigrationInterface, type QueryRunner } from 'typeorm';

// Written once, read once or never, and deleted soon. PostgreSQL's own compression takes 10 ms for the state of an order of thousands of
// rows, inside the transaction that somebody waits for. LZ4 is far quicker, where the server was built with it.
const SHORT_LIVED = [
  ['outbox', 'messages'],
  ['command_log', 'body'],
];

export class StoreQuickly1795500000012 implements MigrationInterface {
  readonly name = 'StoreQuickly1795500000012';

  async up(runner: QueryRunner): Promise<void> {
    const [{ lz4 }] = (await runner.query(
      `SELECT 'lz4' = ANY (enumvals) AS lz4 FROM pg_settings WHERE name = 'default_toast_compression'`,
    )) as [{ lz4: boolean }];
    const how = lz4 ? 'SET COMPRESSION lz4' : 'SET STORAGE EXTERNAL';
    for (const [table, column] of SHORT_LIVED) await runner.query(`ALTER TABLE ${table} ALTER ${column} ${how}`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
