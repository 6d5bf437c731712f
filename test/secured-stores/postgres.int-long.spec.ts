import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, migrate } from '@po/database';
import { Health, createLogger, waitForDependency } from '@po/platform';
import pg from 'pg';
import { type Authority, type IdentityFiles, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { eventually } from '@po/testing/eventually';
import { type SecuredPostgres, startSecuredPostgres } from './secured-postgres.js';

const lines: string[] = [];
const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
const HOW = `SELECT ssl, client_dn AS client, client_serial::text AS serial FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;

let authority: Authority;
let server: SecuredPostgres;
let client: IdentityFiles;
const opened: Database[] = [];

beforeAll(async () => {
  authority = await makeAuthority('the company');
  server = await startSecuredPostgres(authority, { roles: ['secured'], certified: ['certified'] });
  client = await writeIdentity(join(server.dir, 'client'), authority, await authority.certify('certified'));
});
// Tests show other certificates.
afterEach(async () => server.show(await authority.certify('postgres')));
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await server.stop();
});

function databaseAt(role: string, parameters: Record<string, string>): Database {
  const options = { url: server.urlOf(role, parameters), name: 'secured', poolSize: 2, logger };
  const database = new Database(options);
  opened.push(database);
  return database;
}
const verified = () => ({ sslmode: 'verify-full', sslrootcert: client.ca });
const certified = () => ({ ...verified(), sslcert: client.cert, sslkey: client.key });
const how = async (database: Database) => {
  const rows = await database.read<{ ssl: boolean; client: string | null; serial: string | null }>(null, HOW);
  return rows[0];
};
const failure = (role: string, parameters: Record<string, string>) =>
  databaseAt(role, parameters)
    .connect()
    .then(
      () => 'connected',
      (error: Error) => error.message,
    );

describe('a PostgreSQL server with a verified certificate', () => {
  it('is used over TLS, including transactions and pipelined statements', async () => {
    const database = databaseAt('secured', verified());
    await database.connect();
    expect(await how(database)).toEqual({ ssl: true, client: null, serial: null });
    const scope = { setting: 'app.vendor', value: 'ACME' };
    const vendor = `SELECT current_setting('app.vendor') AS vendor`;
    expect(await Promise.all([1, 2, 3].map(() => database.read(scope, vendor)))).toEqual(
      Array.from({ length: 3 }, () => [{ vendor: 'ACME' }]),
    );
    const both = await database.transaction(scope, (send) =>
      Promise.all([send('SELECT $1::int AS n', [1]), send(`SELECT length($1) AS n`, ['x'.repeat(100_000)])]),
    );
    expect(both).toEqual([[{ n: 1 }], [{ n: 100_000 }]]);
  });

  it('is migrated over TLS', async () => {
    await server.administer('GRANT CREATE ON SCHEMA public TO secured');
    class Marks1700000000000 {
      up = (runner: { query: (text: string) => Promise<unknown> }) => runner.query(`CREATE TABLE marks AS ${HOW}`);
      down = () => Promise.reject(new Error('never'));
    }
    expect(await migrate(server.urlOf('secured', verified()), [Marks1700000000000], logger)).toHaveLength(1);
    const database = databaseAt('secured', verified());
    await database.connect();
    expect(await database.read(null, 'SELECT ssl FROM marks')).toEqual([{ ssl: true }]);
  });

  it('can authenticate clients by their certificates', async () => {
    const database = databaseAt('certified', certified());
    await database.connect();
    expect(await how(database)).toMatchObject({ ssl: true, client: '/CN=certified' });
  });

  it('can authenticate both roles of a service by one certificate', async () => {
    const roles = ['internal', 'vendor'];
    await server.administer(...roles.map((role) => `CREATE ROLE ${role} LOGIN`));
    const data = join(server.dir, 'postgres');
    await writeFile(join(data, 'pg_ident.conf'), roles.map((role) => `po certified ${role}\n`).join(''));
    const rules = await readFile(join(data, 'pg_hba.conf'), 'utf8');
    await writeFile(join(data, 'pg_hba.conf'), `hostssl all ${roles.join()} all cert map=po\n${rules}`);
    await server.administer('SELECT pg_reload_conf()');
    for (const role of roles) {
      await eventually(`${role} can connect`, async () => (await failure(role, certified())) === 'connected');
      expect(await failure(role, verified())).toBe('connection requires a valid client certificate');
    }
  });

  it('can have another host name if only its CA is verified', async () => {
    await server.show(await authority.certify('postgres', { names: ['elsewhere.example'] }));
    const database = databaseAt('secured', { ...verified(), sslmode: 'verify-ca' });
    await database.connect();
    expect(await how(database)).toMatchObject({ ssl: true });
  });
});

describe('a connection to PostgreSQL fails with the reason', () => {
  it('if the server certificate is from another CA, with verify-full and verify-ca', async () => {
    const stranger = await writeIdentity(
      join(server.dir, 'stranger'),
      await makeAuthority('another'),
      await authority.certify('x'),
    );
    for (const sslmode of ['verify-full', 'verify-ca'])
      expect(await failure('secured', { sslmode, sslrootcert: stranger.ca })).toMatch(
        /unable to (get|verify)|self-signed/,
      );
  });

  it('if the server certificate is not from a public CA and no other is configured', async () => {
    expect(await failure('secured', { sslmode: 'verify-full' })).toMatch(/unable to|self-signed/);
  });

  it('if the server certificate has another host name', async () => {
    await server.show(await authority.certify('postgres', { names: ['elsewhere.example'] }));
    expect(await failure('secured', verified())).toMatch(/does not match certificate's altnames.*elsewhere\.example/);
  });

  it('if the server certificate has expired', async () => {
    await server.show(await authority.certify('postgres', { days: -1 }));
    expect(await failure('secured', verified())).toBe('certificate has expired');
  });

  it('if the server does not support TLS', async () => {
    await server.show(null);
    expect(await failure('secured', verified())).toBe('The server does not support SSL connections');
  });

  it('if the client lacks the required certificate, has one with another name, or does not use TLS', async () => {
    expect(await failure('certified', verified())).toBe('connection requires a valid client certificate');
    const other = await writeIdentity(join(server.dir, 'other'), authority, await authority.certify('secured'));
    const renamed = { ...verified(), sslcert: other.cert, sslkey: other.key };
    expect(await failure('certified', renamed)).toBe('password authentication failed for user "certified"');
    expect(await failure('secured', {})).toMatch(/no pg_hba.conf entry .* no encryption/);
  });
});

describe('changed certificate files', () => {
  it('are used by the next connection: the service waits, reports the reason and continues by itself', async () => {
    const files = await writeIdentity(
      join(server.dir, 'renewed'),
      await makeAuthority('former'),
      await authority.certify('x'),
    );
    const database = databaseAt('certified', {
      sslmode: 'verify-full',
      sslrootcert: files.ca,
      sslcert: files.cert,
      sslkey: files.key,
    });
    const health = new Health();
    let open = false;
    const opening = waitForDependency('PostgreSQL', () => database.connect(), { health, logger }).then(
      () => (open = true),
    );
    const reasons = () => health.notReady().join();
    try {
      await eventually('readiness reports the certificate of the server', () =>
        /PostgreSQL: .*(unable to|self-signed)/.test(reasons()),
      );
      await writeFile(files.ca, authority.ca);
      await eventually('readiness reports the failed authentication', () =>
        reasons().includes('password authentication failed'),
      );
      expect(open).toBe(false);
      await writeIdentity(join(server.dir, 'renewed'), authority, await authority.certify('certified'));
      await opening;
      expect(health.notReady()).toEqual([]);
    } finally {
      // Otherwise a failed connection would be retried forever.
      health.startDraining();
    }
    const before = await how(database);
    await writeIdentity(join(server.dir, 'renewed'), authority, await authority.certify('certified'));
    const [one, two] = await Promise.all([database.connectionPool.connect(), database.connectionPool.connect()]);
    const serials = await Promise.all(
      [one, two].map(async (each) => (await each.query<{ serial: string }>(HOW)).rows[0]?.serial),
    );
    for (const each of [one, two]) each.release();
    expect(serials).toContain(before?.serial);
    expect(new Set(serials).size).toBe(2);
  });

  it('leave the former certificates in use, with a log message, if they are unusable or missing', async () => {
    const folder = join(server.dir, 'broken');
    const files = await writeIdentity(folder, authority, await authority.certify('certified'));
    const database = databaseAt('certified', { ...verified(), sslcert: files.cert, sslkey: files.key });
    await database.connect();
    // A new certificate without its key.
    await writeFile(files.cert, (await authority.certify('certified')).cert);
    const second = await database.connectionPool.connect();
    const third = await database.connectionPool.connect();
    expect((await third.query(HOW)).rows).toMatchObject([{ ssl: true, client: '/CN=certified' }]);
    for (const each of [second, third]) each.release(true);
    await rm(folder, { recursive: true });
    const fourth = await database.connectionPool.connect();
    fourth.release();
    const warnings = lines.filter((line) => line.includes('the certificates for PostgreSQL cannot be used'));
    expect(warnings.join('')).toMatch(/key values mismatch/);
    expect(warnings.join('')).toMatch(/ENOENT/);
  });
});

it('a password change needs no downtime: a second role logs in and acts as the first', async () => {
  await server.administer(
    'CREATE TABLE seen (vendor text)',
    "INSERT INTO seen VALUES ('ACME')",
    'ALTER TABLE seen ENABLE ROW LEVEL SECURITY',
    'ALTER ROLE secured BYPASSRLS',
    'GRANT SELECT ON seen TO secured',
    "CREATE ROLE secured_2 LOGIN PASSWORD 'secured_2-password' IN ROLE secured",
    'ALTER ROLE secured_2 SET role = secured',
  );
  const second = new pg.Client({ connectionString: server.urlOf('secured_2', verified()) });
  await second.connect();
  try {
    const { rows } = await second.query('SELECT current_user AS user, session_user AS login, vendor FROM seen');
    expect(rows).toEqual([{ user: 'secured', login: 'secured_2', vendor: 'ACME' }]);
  } finally {
    await second.end();
  }
});

it('no password is logged', () => expect(lines.join('')).not.toMatch(/-password/));
