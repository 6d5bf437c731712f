import type { Migration } from '@po/database';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Rules for changes to existing tables, into which users may have written ten million rows. A migration outside a transaction may be
 * interrupted, so it must also be restartable.
 */
export type Rule = 'rewrite' | 'scan under a write-blocking lock' | 'unbounded change of rows' | 'not restartable';

export interface Violation {
  migration: string;
  rule: Rule;
  /** Affected tables or indexes. */
  of: string[];
  /** Violating statement, or the error of the second run. */
  statement: string;
}

interface Relation {
  oid: number;
  name: string;
  table: boolean;
  file: number;
}

/** Number of scans of a table in a transaction, and its lock modes. */
interface Use {
  name: string;
  scans: number;
  modes: string[];
}

const RELATIONS = `SELECT oid, relname AS name, relkind IN ('r', 'p') AS table, relfilenode AS file
                     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'i', 'I', 'm')`;
// PostgreSQL's own counters, which include reads by functions and constraints.
const USES = `SELECT relname AS name, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS scans,
                     ARRAY(SELECT mode FROM pg_locks WHERE relation = relid AND pid = pg_backend_pid()) AS modes
                FROM pg_stat_xact_user_tables WHERE relid = ANY ($1)`;
/** Lock modes that block INSERT, UPDATE and DELETE. */
const WRITE_BLOCKING_MODES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];
const CHANGES_ROWS = 'RowExclusiveLock';
const CHANGE = /\b(?:UPDATE|DELETE\s+FROM|MERGE\s+INTO)\s+(?:ONLY\s+)?"?(\w+)/gi;
const BOUNDED = /\bLIMIT\b/i;

/**
 * Applies migrations in order to an empty database, and returns what would block users of a full one. Empty tables show it too:
 * PostgreSQL gives a rewritten table a new file, and counts each scan when it starts.
 */
export async function violationsOf(url: string, migrations: readonly Migration[]): Promise<Violation[]> {
  const source = new DataSource({ type: 'postgres', url });
  await source.initialize();
  try {
    // Migrations grant privileges on this table.
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
  // Scans add up over a transaction, because its locks last until the end.
  const scanned = new Set<string>();
  const watched = async (sql: string, values?: unknown[]): Promise<unknown> => {
    // CONCURRENTLY blocks no users, and PostgreSQL refuses it in a transaction.
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
    note('rewrite', rewritten(before, (await send(RELATIONS)) as Relation[]));
    note('scan under a write-blocking lock', blocksWrites(uses) ? [...scanned] : []);
    note('unbounded change of rows', changedWithoutBound(sql, uses, read, whole));
    if (!whole) await send('COMMIT');
    return result;
  };
  runner.query = watched as QueryRunner['query'];
  await migration.up(runner);
  runner.query = send as QueryRunner['query'];
  if (whole) await send('COMMIT');
  else found.push(...(await rerun(runner, migration)));
  await runner.release();
  return found;
}

async function rerun(runner: QueryRunner, migration: MigrationInterface): Promise<Violation[]> {
  try {
    await migration.up(runner);
    return [];
  } catch (error) {
    const { message } = error as Error;
    return [{ migration: String(migration.name), rule: 'not restartable', of: [], statement: message }];
  }
}

function rewritten(before: readonly Relation[], after: readonly Relation[]): string[] {
  const files = new Map(after.map(({ oid, file }) => [oid, file]));
  return before.filter(({ oid, file }) => files.has(oid) && files.get(oid) !== file).map(({ name }) => name);
}

const blocksWrites = (uses: readonly Use[]): boolean =>
  uses.some(({ modes }) => modes.some((mode) => WRITE_BLOCKING_MODES.includes(mode)));

/** Tables whose rows the statement changes without a LIMIT, or in a transaction, which keeps all of them locked until its end. */
function changedWithoutBound(sql: string, uses: readonly Use[], read: readonly string[], whole: boolean): string[] {
  if (BOUNDED.test(sql) && !whole) return [];
  const named = new Set([...sql.matchAll(CHANGE)].map(([, name]) => name?.toLowerCase()));
  return uses
    .filter(({ modes }) => modes.includes(CHANGES_ROWS))
    .map(({ name }) => name)
    .filter((name) => named.has(name) || read.includes(name));
}
