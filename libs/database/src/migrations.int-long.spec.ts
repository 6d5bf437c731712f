import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import type { QueryRunner } from 'typeorm';
import { eventually } from '@po/testing/eventually';
import { databaseUrl } from '@po/testing/stores';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { createIndexConcurrently, dropIndexConcurrently, validateConstraint } from './concurrently.js';
import { migration } from './migration.js';
import { type Migration, type MigrationLimits, migrate } from './migrations.js';

type Line = Record<string, unknown>;
type Up = (runner: QueryRunner) => Promise<unknown>;

const ADD = migration('Add1800000000003', (runner) => runner.query('ALTER TABLE entries ADD COLUMN note text'));
const INDEX = migration('Index1800000000002', (runner) => createIndexConcurrently(runner, 'entries_n', 'entries (n)'), {
  transaction: false,
});

describe('the migration job', () => {
  const database = `migrations_${randomUUID().replaceAll('-', '')}`;
  const url = () => {
    const target = new URL(databaseUrl());
    target.pathname = database;
    return target;
  };
  let administrator: pg.Client;
  let user: pg.Client;
  let lines: Line[];
  beforeEach(async () => {
    lines = [];
    administrator = new pg.Client({ connectionString: databaseUrl() });
    await administrator.connect();
    await administrator.query(`CREATE DATABASE ${database}`);
    user = new pg.Client({ connectionString: url().href, application_name: 'a user' });
    await user.connect();
    await user.query('CREATE TABLE entries (n integer); INSERT INTO entries VALUES (1), (1)');
  });
  afterEach(async () => {
    await user.end();
    await administrator.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await administrator.end();
  });
  const run = (migrations: Migration[], limits: Partial<MigrationLimits> = {}, at = url()) => {
    const write = (line: string) => void lines.push(JSON.parse(line) as Line);
    return migrate(at.href, migrations, pino({ level: 'info' }, { write }), limits);
  };
  const waits = () => eventually('the job logs the blocking session', () => lines.find((line) => line.waitsFor));
  const indexes = async () => {
    const { rows } = await user.query<{ name: string; valid: boolean }>(
      `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'entries'::regclass`,
    );
    return rows;
  };

  it('waits for a lock without blocking other sessions, logs who holds the lock, and retries', async () => {
    await user.query('BEGIN; SELECT * FROM entries');
    const job = run([ADD], { lockTimeoutMs: 300 });
    const blocker = { application: 'a user', role: 'postgres' };
    expect(await waits()).toMatchObject({ migration: 'Add1800000000003', waitsFor: [blocker] });
    const other = new pg.Client({ connectionString: url().href });
    await other.connect();
    await other.query('INSERT INTO entries VALUES (2)');
    await other.end();
    await eventually('the job tried again', () => lines.find(({ failures }) => failures === 2));
    await user.query('COMMIT');
    expect(await job).toEqual(['Add1800000000003']);
  });

  it('fails after its last attempt, names the failed migration, and keeps the applied ones', async () => {
    await user.query('BEGIN; SELECT * FROM entries');
    const job = run([INDEX, ADD], { lockTimeoutMs: 50, tries: 2 });
    await expect(job).rejects.toThrow('migration Add1800000000003 failed: canceling statement due to lock timeout');
    await user.query('COMMIT');
    expect(await run([INDEX, ADD])).toEqual(['Add1800000000003']);
  });

  it('cancels a statement that takes too long', async () => {
    await user.query('BEGIN; LOCK TABLE entries');
    const slow = migration('Slow1800000000001', (runner) => runner.query('SELECT FROM entries'));
    const job = run([slow], { statementTimeoutMs: 2_000, lockTimeoutMs: 60_000 });
    await expect(job).rejects.toThrow(
      'migration Slow1800000000001 failed: canceling statement due to statement timeout',
    );
  });

  it.each<[string, Up]>([
    ['building an index concurrently', (runner) => createIndexConcurrently(runner, 'entries_n', 'entries (n)')],
    ['dropping an index concurrently', (runner) => dropIndexConcurrently(runner, 'entries_before')],
  ])('has no time limit for %s, and writes continue', async (_what, up) => {
    await user.query('CREATE INDEX entries_before ON entries (n)');
    const other = new pg.Client({ connectionString: url().href });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE entries IN ROW EXCLUSIVE MODE');
    // Long enough to create the migrations table even on a busy machine.
    const limits = { lockTimeoutMs: 50, statementTimeoutMs: 2_000, tries: 1 };
    const job = run([migration('Concurrent1800000000001', up, { transaction: false })], limits);
    await waits();
    await user.query('INSERT INTO entries VALUES (3)');
    await eventually('it waited longer than the statement timeout', async () => {
      const { rowCount } = await user.query(
        `SELECT FROM pg_stat_activity WHERE query LIKE '%CONCURRENTLY%' AND pid <> pg_backend_pid()
            AND query_start < clock_timestamp() - interval '2500 milliseconds'`,
      );
      return rowCount === 1;
    });
    await other.query('COMMIT');
    await other.end();
    expect(await job).toEqual(['Concurrent1800000000001']);
  });

  it('validates a constraint without time limits, and restores them afterwards', async () => {
    await user.query('ALTER TABLE entries ADD CONSTRAINT positive CHECK (n > 0) NOT VALID; CREATE TABLE held ()');
    await user.query('BEGIN; LOCK TABLE held');
    const validate = migration(
      'Validate1800000000001',
      async (runner) => {
        await validateConstraint(runner, 'entries', 'positive');
        await runner.query('SELECT FROM held');
      },
      { transaction: false },
    );
    const limits = { statementTimeoutMs: 2_000, lockTimeoutMs: 60_000 };
    await expect(run([validate], limits)).rejects.toThrow('statement timeout');
    const { rows } = await user.query('SELECT convalidated FROM pg_constraint WHERE conname = $1', ['positive']);
    expect(rows).toEqual([{ convalidated: true }]);
  });

  it('rebuilds an index that an interrupted build left invalid, and keeps a valid one', async () => {
    // Two rows have the same value, so the unique build fails and leaves an invalid index, like an interrupted one.
    await expect(user.query('CREATE UNIQUE INDEX CONCURRENTLY entries_n ON entries (n)')).rejects.toThrow(
      'unique index',
    );
    expect(await indexes()).toEqual([{ name: 'entries_n', valid: false }]);
    expect(await run([INDEX])).toEqual(['Index1800000000002']);
    expect(await indexes()).toEqual([{ name: 'entries_n', valid: true }]);
    await user.query('DELETE FROM migrations');
    const oid = () => user.query(`SELECT 'entries_n'::regclass::oid AS oid`).then(({ rows }) => rows as unknown[]);
    const before = await oid();
    expect(await run([INDEX])).toEqual(['Index1800000000002']);
    expect(await oid()).toEqual(before);
  });

  it('builds an index concurrently while another job waits', async () => {
    const jobs = [1, 2, 3].map(() => run([INDEX, ADD]));
    expect((await Promise.all(jobs)).flat()).toEqual(['Index1800000000002', 'Add1800000000003']);
  });

  it('waits for a limited time until PostgreSQL is available', async () => {
    const proxy = await TcpProxy.to(url());
    const through = url();
    through.port = String(proxy.port);
    proxy.cut();
    await expect(run([ADD], { connectWithinMs: 0 }, through)).rejects.toThrow(/terminated|ECONNRESET/);
    const job = run([ADD], {}, through);
    await eventually('the job tries again', () => lines.find(({ failures }) => failures === 2));
    proxy.restore();
    expect(await job).toEqual(['Add1800000000003']);
    await proxy.close();
  });

  it('fails at once if the login is refused', async () => {
    const unknown = url();
    unknown.username = 'nobody';
    await expect(run([ADD], {}, unknown)).rejects.toThrow('nobody');
    expect(lines).toEqual([]);
  });

  it('refuses an owner that forced row-level security would hide rows from, and accepts it with either named grant', async () => {
    const role = `owner_${randomUUID().replaceAll('-', '')}`;
    const reader = `${role}_reader`;
    const owned = url();
    [owned.username, owned.password] = [role, 'secret'];
    const create = (table: string) =>
      `CREATE TABLE ${table} (n integer); ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`;
    const seeAll = (table: string) => `CREATE POLICY internal ON ${table} TO ${reader} USING (true)`;
    const forced = migration('Forced1800000000001', (runner) => runner.query(`${create('own')}; ${seeAll('own')}`));
    const updates = migration('Updates1800000000002', (runner) => runner.query('UPDATE own SET n = 2'));
    await administrator.query(
      `CREATE ROLE ${reader}; CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT ALL ON DATABASE ${database} TO ${role}`,
    );
    await user.query(`GRANT ALL ON SCHEMA public TO ${role}`);
    try {
      const message = `${role} does not see the rows of its own tables: ALTER ROLE ${role} BYPASSRLS, or grant it the role`;
      await expect(run([forced], {}, owned)).rejects.toThrow(message);
      await user.query('INSERT INTO own VALUES (1)');
      await expect(run([forced, updates], {}, owned)).rejects.toThrow(message);
      await administrator.query(`GRANT ${reader} TO ${role}`);
      expect(await run([forced, updates], {}, owned)).toEqual(['Updates1800000000002']);
      expect((await user.query('SELECT n FROM own')).rows).toEqual([{ n: 2 }]);
      const hidden = migration('Hidden1800000000003', (runner) => runner.query(create('hidden')));
      await expect(run([forced, hidden], {}, owned)).rejects.toThrow('does not see the rows of its own tables');
      await administrator.query(`ALTER ROLE ${role} BYPASSRLS`);
      expect(await run([forced, hidden], {}, owned)).toEqual([]);
    } finally {
      await user.query(`DROP OWNED BY ${role}`);
      await administrator.query(`REVOKE ALL ON DATABASE ${database} FROM ${role}; DROP ROLE ${role}, ${reader}`);
    }
  });

  it('fails when PostgreSQL vanishes without a reset, and leaves no lock in the way of the next job', async () => {
    const proxy = await TcpProxy.to(url());
    const through = url();
    through.port = String(proxy.port);
    // Options of the URL must not replace those of the job.
    through.searchParams.set('options', '-c search_path=public');
    await user.query('BEGIN; LOCK TABLE entries');
    const job = run([ADD], { responseTimeoutMs: 2_000, lockTimeoutMs: 20_000 }, through);
    await waits();
    proxy.hang();
    await expect(job).rejects.toThrow(/timeout/);
    // The statement of the failed job gets the lock now, and no client is left to end its sessions.
    await user.query('ROLLBACK');
    expect(await run([ADD], { lockTimeoutMs: 300 })).toEqual(['Add1800000000003']);
    await proxy.close();
  });
});
