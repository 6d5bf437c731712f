import type { Logger } from '@po/platform';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import type { Database } from './database.js';

export type Migration = new () => MigrationInterface;

const TABLE = 'migrations';
// Any constant works as long as no other job of this database uses it.
const LOCK = 7_301_155;

/** Applies what is missing, one job at a time (advisory lock): running it twice, or two at once, changes nothing more. */
export async function migrate(url: string, migrations: Migration[], logger: Logger): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  const source = new DataSource({
    type: 'postgres',
    url,
    migrations,
    migrationsTableName: TABLE,
    migrationsTransactionMode: 'each',
  });
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await source.initialize();
    const applied = (await source.runMigrations()).map(({ name }) => name);
    logger.info({ applied }, applied.length > 0 ? 'migrations applied' : 'the schema is up to date');
    return applied;
  } finally {
    if (source.isInitialized) await source.destroy();
    await lock.end();
  }
}

/** Rejects, naming what is missing, while the schema is older than this build. The role needs SELECT on `migrations`. */
export async function requireMigrations(database: Database, migrations: Migration[]): Promise<void> {
  const { rows } = await database.connectionPool.query<{ name: string }>(`SELECT name FROM ${TABLE}`);
  const applied = new Set(rows.map(({ name }) => name));
  const names = migrations.map((migration) => new migration().name ?? migration.name);
  const missing = names.filter((name) => !applied.has(name));
  if (missing.length > 0) throw new Error(`the schema is behind; missing migrations: ${missing.join(', ')}`);
}
