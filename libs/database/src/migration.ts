import type { QueryRunner } from 'typeorm';
import type { Migration } from './migrations.js';

/**
 * A migration. `name` ends with 13 digits, by which migrations are ordered. What builds, drops or checks beside users must be no transaction,
 * and a migration of its own: then it is done once, whatever becomes of the others.
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
