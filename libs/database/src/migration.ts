import type { QueryRunner } from 'typeorm';
import type { Migration } from './migrations.js';

/**
 * Creates a migration. `name` ends with 13 digits, which define the order. A build, drop or check that runs concurrently with users must
 * be a separate migration without a transaction, so that it is done once, whatever happens to the other migrations.
 */
export function migration(
  name: string,
  up: (runner: QueryRunner) => Promise<unknown>,
  { transaction = true } = {},
): Migration {
  return class {
    readonly name = name;
    readonly transaction = transaction;

    async up(runner: QueryRunner): Promise<void> {
      await up(runner);
    }

    down(): Promise<void> {
      return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
    }
  };
}
