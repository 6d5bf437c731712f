import type { QueryRunner } from 'typeorm';

/**
 * Builds an index without blocking writes; the time grows with the table. For a migration with `transaction = false`. Can be
 * interrupted and repeated: an invalid index of an unfinished build is dropped, a valid index is kept.
 */
export async function createIndexConcurrently(runner: QueryRunner, name: string, on: string): Promise<void> {
  const [index] = (await runner.query('SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)', [
    name,
  ])) as {
    indisvalid: boolean;
  }[];
  if (index?.indisvalid) return;
  if (index) await dropIndexConcurrently(runner, name);
  await runWithoutTimeLimits(runner, `CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}

/** Drops an index if it exists, without blocking other sessions. For a migration with `transaction = false`. */
export function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  return runWithoutTimeLimits(runner, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/**
 * Checks a constraint that was added NOT VALID against every row of its table, without blocking writes. For a migration with
 * `transaction = false`.
 */
export function validateConstraint(runner: QueryRunner, table: string, constraint: string): Promise<void> {
  return runWithoutTimeLimits(runner, `ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
}

/** Lifts the time limits of the job: the statement and its lock waits may take long, but the statement blocks no other session. */
async function runWithoutTimeLimits(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
  // Otherwise the build of a killed job continues, and the next run must wait until it can drop the index.
  await runner.query(`SET client_connection_check_interval = '1s'`);
  try {
    await runner.query(statement);
  } finally {
    await runner.query('RESET statement_timeout; RESET lock_timeout; RESET client_connection_check_interval');
  }
}
