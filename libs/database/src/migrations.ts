import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, backOffMs } from '@po/platform';
import type pg from 'pg';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { Database } from './database.js';
import { connectWithin } from './job-connection.js';
import { watchLocks } from './lock-watch.js';
import { requireBypass } from './row-security.js';
import { serverAt } from './server.js';

export type Migration = new () => MigrationInterface;

/** Limits on how long a migration may block other sessions. */
export interface MigrationLimits {
  /** Milliseconds that a statement may wait for a lock; later statements of other sessions queue behind it. */
  lockTimeoutMs: number;
  /** Maximum attempts of a migration that does not get its locks. */
  tries: number;
  /** Milliseconds that a statement may take. */
  statementTimeoutMs: number;
  /** Milliseconds without an answer after which PostgreSQL counts as gone. */
  responseTimeoutMs: number;
  /** Milliseconds for which a job waits until PostgreSQL is available. */
  connectWithinMs: number;
}

const TABLE = 'migrations';
// Key of the advisory lock. Any constant works as long as no other job of this database uses it.
const LOCK = 7_301_155;
const APPLICATION = 'migrations';
const LIMITS: MigrationLimits = {
  lockTimeoutMs: 2_000,
  tries: 30,
  statementTimeoutMs: 5_000,
  responseTimeoutMs: 7_000,
  connectWithinMs: 10 * 60_000,
};
const RETRY = { initialMs: 250, maxMs: 5_000 };
const CONNECTION_TIMEOUT_MS = 3_000;
const LOCK_POLL_MS = 250;
/** Idle timeout of the sessions in multiples of `responseTimeoutMs`. */
const IDLE_TIMEOUT_FACTOR = 3;
/** SQLSTATEs: lock timeout, and deadlock whose victim is this session. */
const NO_LOCK = ['55P03', '40P01'];

type Pending = Awaited<ReturnType<MigrationExecutor['getPendingMigrations']>>[number];

/**
 * Applies pending migrations and returns their names. An advisory lock admits one job at a time; repeated and concurrent runs are safe.
 * A migration that waits too long for a lock gives up, so that it does not block others, and is retried. The log names the sessions that
 * hold the lock.
 */
export async function migrate(
  url: string,
  migrations: Migration[],
  logger: Logger,
  changedLimits: Partial<MigrationLimits> = {},
): Promise<string[]> {
  const limits = { ...LIMITS, ...changedLimits };
  const server = serverAt(url, logger);
  const address = new URL(server.connectionString);
  // In the URL, options would replace those below.
  const options = address.searchParams.get('options') ?? '';
  address.searchParams.delete('options');
  const connection = {
    ...server,
    connectionString: address.href,
    application_name: APPLICATION,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    // Ends the sessions of a vanished job, which would otherwise keep its locks. Sessions of a running job are never idle for this long.
    options: `${options} -c idle_session_timeout=${IDLE_TIMEOUT_FACTOR * limits.responseTimeoutMs}`,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_FACTOR * limits.responseTimeoutMs,
  };
  const observer = await connectWithin(
    limits.connectWithinMs,
    { ...connection, query_timeout: limits.responseTimeoutMs },
    logger,
  );
  const source = new DataSource({
    type: 'postgres',
    migrations,
    migrationsTableName: TABLE,
    extra: { ...connection, lock_timeout: limits.lockTimeoutMs, statement_timeout: limits.statementTimeoutMs },
  });
  try {
    await acquireJobLock(observer, logger);
    await source.initialize();
    // Before, because updates of hidden rows silently change nothing; after, because a migration may have forced row-level security.
    await requireBypass(observer);
    const applied = await applyPending(source, observer, logger, limits);
    await requireBypass(observer);
    logger.info({ applied }, applied.length > 0 ? 'migrations applied' : 'the schema is up to date');
    return applied;
  } finally {
    if (source.isInitialized) await source.destroy();
    await observer.end();
  }
}

// Polls instead of waiting in one statement: CREATE INDEX CONCURRENTLY of the running job would wait for the snapshot of that
// statement, so neither job would ever end.
async function acquireJobLock(client: pg.Client, logger: Logger): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK]);
    if (rows[0]?.locked) return;
    if (failures === 0) logger.info('another job is migrating this database; waiting for it');
    await delay(LOCK_POLL_MS);
  }
}

async function applyPending(
  source: DataSource,
  observer: pg.Client,
  logger: Logger,
  limits: MigrationLimits,
): Promise<string[]> {
  const runner = source.createQueryRunner();
  const executor = new MigrationExecutor(source, runner);
  const [session] = (await runner.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
  const applied: string[] = [];
  for (const migration of await executor.getPendingMigrations()) {
    const ended = new AbortController();
    const onWait = (waitsFor: unknown) =>
      logger.warn({ migration: migration.name, waitsFor }, 'a migration waits for a lock');
    const watching = watchLocks(observer, session.pid, onWait, ended.signal);
    const applying = applyWithRetries(runner, executor, migration, logger, limits).finally(() => ended.abort());
    await Promise.all([applying, watching]);
    applied.push(migration.name);
  }
  return applied;
}

async function applyWithRetries(
  runner: QueryRunner,
  executor: MigrationExecutor,
  migration: Pending,
  logger: Logger,
  { tries }: MigrationLimits,
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await apply(runner, executor, migration);
    } catch (error) {
      const { name } = migration;
      const { code = '', message } = error as { code?: string; message: string };
      if (!NO_LOCK.includes(code) || failures === tries)
        throw new Error(`migration ${name} failed: ${message}`, { cause: error });
      logger.warn(
        { migration: name, failures, reason: message },
        'a migration gave up waiting for a lock; trying again',
      );
      await delay(backOffMs(failures, RETRY));
    }
  }
}

async function apply(runner: QueryRunner, executor: MigrationExecutor, migration: Pending): Promise<void> {
  if (migration.instance?.transaction === false) {
    await executor.executeMigration(migration);
    return;
  }
  await runner.startTransaction();
  try {
    await executor.executeMigration(migration);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** Rejects with the missing migrations if the schema is older than this build. The role needs SELECT on `migrations`. */
export async function requireMigrations(database: Database, migrations: Migration[]): Promise<void> {
  const { rows } = await database.connectionPool.query<{ name: string }>(`SELECT name FROM ${TABLE}`);
  const applied = new Set(rows.map(({ name }) => name));
  const names = migrations.map((migration) => new migration().name ?? migration.name);
  const missing = names.filter((name) => !applied.has(name));
  if (missing.length > 0) throw new Error(`the schema is behind; missing migrations: ${missing.join(', ')}`);
}
