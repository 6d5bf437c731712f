import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while others write, which takes as long as the table is large. For a migration that is `transaction = false`. May be
 * interrupted and run again: what a build leaves that did not end is dropped, an index that is whole stays.
 */
export async function createIndexConcurrently(runner: QueryRunner, name: string, on: string): Promise<void> {
  const [index] = (await runner.query('SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)', [
    name,
  ])) as {
    indisvalid: boolean;
  }[];
  if (index?.indisvalid) return;
  if (index) await dropIndexConcurrently(runner, name);
  await unhurried(runner, `CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}

/** Drops an index, if there is one, without a lock that anybody else waits for. For a migration that is `transaction = false`. */
export function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  return unhurried(runner, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/**
 * Checks a constraint that was added NOT VALID against every row of its table, while others write. For a migration that is
 * `transaction = false`.
 */
export function validateConstraint(runner: QueryRunner, table: string, constraint: string): Promise<void> {
  return unhurried(runner, `ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
}

/** Without the limits of the job: the statement takes long, and so may what it waits for, but nobody waits for it. */
async function unhurried(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
  // Else a build whose job was killed goes on, and the next run waits until it can drop it.
  await runner.query(`SET client_connection_check_interval = '1s'`);
  try {
    await runner.query(statement);
  } finally {
    await runner.query('RESET statement_timeout; RESET lock_timeout; RESET client_connection_check_interval');
  }
}
