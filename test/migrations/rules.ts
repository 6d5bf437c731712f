import type { Migration } from '@po/database';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What a migration may not do to a table that was there before it, because users may have written ten million rows into it; and one
 * that is no transaction may be interrupted, and must be able to begin anew.
 */
export type Rule = 'rewrites' | 'reads while others wait' | 'changes rows at once' | 'cannot begin anew';

export interface Violation {
  migration: string;
  rule: Rule;
  /** Which tables, or indexes. */
  of: string[];
  /** Or what the second run failed of. */
  statement: string;
}

interface Relation {
  oid: number;
  name: string;
  table: boolean;
  file: number;
}

/** Of each table of a transaction: how often it was read, how it is locked. */
interface Use {
  name: string;
  scans: number;
  modes: string[];
}

const RELATIONS = `SELECT oid, relname AS name, relkind IN ('r', 'p') AS table, relfilenode AS file
                     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'i', 'I', 'm')`;
// As PostgreSQL counts them itself: also what a function or a constraint reads.
const USES = `SELECT relname AS name, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS scans,
                     ARRAY(SELECT mode FROM pg_locks WHERE relation = relid AND pid = pg_backend_pid()) AS modes
                FROM pg_stat_xact_user_tables WHERE relid = ANY ($1)`;
/** Modes that INSERT, UPDATE and DELETE wait for. */
const KEEPS_WRITERS_OUT = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];
const CHANGES_ROWS = 'RowExclusiveLock';
const CHANGE = /\b(?:UPDATE|DELETE\s+FROM|MERGE\s+INTO)\s+(?:ONLY\s+)?"?(\w+)/gi;
const BOUNDED = /\bLIMIT\b/i;

/**
 * Applies migrations one after the other to an empty database, and tells what would keep users waiting if it were full. Empty tables show
 * it too: PostgreSQL gives a table that it rewrites another file, and counts each time that it begins to read one.
 */
export async function violationsOf(url: string, migrations: readonly Migration[]): Promise<Violation[]> {
  const source = new DataSource({ type: 'postgres', url });
  await source.initialize();
  try {
    // Migrations grant rights on it.
    await source.query('CREATE TABLE IF NOT EXISTS migrations (id serial PRIMARY KEY, name text)');
    const found: Violation[] = [];
    for (const Each of migrations) found.push(...(await apply(source.createQueryRunner(), new Each())));
    return found;
  } finally {
    await source.destroy();
  }
}

async function apply(runner: QueryRunner, migration: MigrationInterface): Promise<Violation[]> {
  const found: Violation[] = [];
  const send = runner.query.bind(runner) as (sql: string, values?: unknown[]) => Promise<unknown>;
  const whole = migration.transaction !== false;
  const before = (await send(RELATIONS)) as Relation[];
  if (whole) await send('BEGIN');
  // What a transaction did to the end of a statement counts for it: its locks are still there.
  const scanned = new Set<string>();
  const watched = async (sql: string, values?: unknown[]): Promise<unknown> => {
    // Refused by PostgreSQL inside of a transaction, and made not to keep anybody waiting.
    if (/\bCONCURRENTLY\b/i.test(sql)) return send(sql, values);
    if (!whole) {
      scanned.clear();
      await send('BEGIN');
    }
    const tables = before.filter(({ table }) => table).map(({ oid }) => oid);
    const scansBefore = new Map(((await send(USES, [tables])) as Use[]).map(({ name, scans }) => [name, scans]));
    const result = await send(sql, values);
    const uses = (await send(USES, [tables])) as Use[];
    const read = uses.filter(({ name, scans }) => scans !== scansBefore.get(name)).map(({ name }) => name);
    for (const name of read) scanned.add(name);
    const note = (rule: Rule, of: string[]) => {
      if (of.length > 0)
        found.push({ migration: String(migration.name), rule, of: of.toSorted(), statement: sql.trim() });
    };
    note('rewrites', rewritten(before, (await send(RELATIONS)) as Relation[]));
    note('reads while others wait', isKeepingOut(uses) ? [...scanned] : []);
    note('changes rows at once', changedAtOnce(sql, uses, read, whole));
    if (!whole) await send('COMMIT');
    return result;
  };
  runner.query = watched as QueryRunner['query'];
  await migration.up(runner);
  runner.query = send as QueryRunner['query'];
  if (whole) await send('COMMIT');
  else found.push(...(await again(runner, migration)));
  await runner.release();
  return found;
}

async function again(runner: QueryRunner, migration: MigrationInterface): Promise<Violation[]> {
  try {
    await migration.up(runner);
    return [];
  } catch (error) {
    const { message } = error as Error;
    return [{ migration: String(migration.name), rule: 'cannot begin anew', of: [], statement: message }];
  }
}

function rewritten(before: readonly Relation[], after: readonly Relation[]): string[] {
  const files = new Map(after.map(({ oid, file }) => [oid, file]));
  return before.filter(({ oid, file }) => files.has(oid) && files.get(oid) !== file).map(({ name }) => name);
}

const isKeepingOut = (uses: readonly Use[]): boolean =>
  uses.some(({ modes }) => modes.some((mode) => KEEPS_WRITERS_OUT.includes(mode)));

/** Tables whose rows this changes without a bound, or inside a transaction that keeps them all locked to its end. */
function changedAtOnce(sql: string, uses: readonly Use[], read: readonly string[], whole: boolean): string[] {
  if (BOUNDED.test(sql) && !whole) return [];
  const named = new Set([...sql.matchAll(CHANGE)].map(([, name]) => name?.toLowerCase()));
  return uses
    .filter(({ modes }) => modes.includes(CHANGES_ROWS))
    .map(({ name }) => name)
    .filter((name) => named.has(name) || read.includes(name));
}
