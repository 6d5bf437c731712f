import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATTERNS } from '@po/contracts';
import { Database, migrate } from '@po/database';
import { createLogger } from '@po/platform';
import { reservePorts } from '../../deploy/local/processes/ports.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { startPostgres } from '../../deploy/local/stores/embedded-postgres.js';
import {
  type OrdersDatabase,
  contextOf,
  exampleOrder,
  listQuery,
  ordersDatabase,
  storeOrder,
} from '../../services/purchase-orders/src/fixtures/orders-database.js';
import { actors } from '@po/testing/actors';
import { makeAuthority, writeIdentity } from '@po/testing/certificates';
import { eventually } from '@po/testing/eventually';
import { readText } from '@po/testing/documents';
import { type Pooler, startPgBouncer } from './pgbouncer.js';

const logger = createLogger('test', 'silent');
const ORDERS = 24;
const WRITERS = 4;
const LIMITS = { statement_timeout: '5s', lock_timeout: '2s', idle_in_transaction_session_timeout: '10s' };
const PREPARED = {
  max_prepared_statements: '500',
  // With the default of 4096 and TLS, PgBouncer 1.24.1 left clients waiting in the first test below.
  pkt_buf: '65536',
  ignore_startup_parameters: Object.keys(LIMITS).join(','),
};

let dir: string;
let processes: Processes;
let server: string;
const poolers: Record<string, Pooler> = {};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-pgbouncer-'));
  await chmod(dir, 0o755);
  processes = new Processes(dir);
  const { port } = await reservePorts(dir, ['port']);
  server = await startPostgres(processes, { data: join(dir, 'postgres'), log: join(dir, 'log'), port });
  // Server on which test databases are created.
  process.env['DATABASE_URL'] = server;
  const authority = await makeAuthority('the company');
  const tls = await writeIdentity(join(dir, 'tls'), authority, await authority.certify('pgbouncer'));
  await chmod(tls.key, 0o644);
  const start = async (name: string, settings: Record<string, string>) => {
    poolers[name] = await startPgBouncer(processes, dir, name, { server, tls, settings });
  };
  await start('transaction', { ...PREPARED, pool_mode: 'transaction' });
  await start('session', { ...PREPARED, pool_mode: 'session', default_pool_size: '20' });
  await start('unprepared', {
    ...PREPARED,
    pool_mode: 'transaction',
    max_prepared_statements: '0',
    default_pool_size: '1',
  });
  await start('unconfigured', { pool_mode: 'transaction' });
});
afterAll(async () => {
  await processes.stop();
  await rm(dir, { recursive: true, force: true });
});
const by = (name: string) => (url: string) => (poolers[name] as Pooler).by(url);

describe.each(['transaction', 'session'])('PgBouncer in %s pooling mode', (mode) => {
  let database: OrdersDatabase;
  beforeAll(async () => {
    database = await ordersDatabase({ mapUrl: by(mode) });
  });
  afterAll(() => database.drop());
  const poNumbers = Array.from({ length: ORDERS }, (_, at) => `${at % 2 === 0 ? 'ACME' : 'BOLT'}-${at}`);
  const actorOf = (poNumber: string) => (poNumber.startsWith('ACME') ? actors.acme : actors.bolt);

  it('keeps the orders of vendors separate and applies every write once under concurrency', async () => {
    for (const poNumber of poNumbers)
      await storeOrder(database, exampleOrder(poNumber, { vendorCode: poNumber.slice(0, 4) }));
    const submit = (poRef: string, idempotencyKey: string) =>
      database.service.transition(
        { poRef, request: { action: 'SUBMIT' } },
        contextOf(actorOf(poRef), PATTERNS.transition.type, {
          method: 'POST',
          idempotencyKey,
          idempotencyOrigin: 'client',
        }),
      );
    const list = async (vendor: 'acme' | 'bolt') => {
      const { body } = await database.queries.list(listQuery({}), contextOf(actors[vendor], PATTERNS.list.type));
      return JSON.stringify(body);
    };
    // Each writer and reader waits for its answers: more concurrent requests would exceed the connection timeout of the pool.
    const left = [...poNumbers];
    const writers = Array.from({ length: WRITERS }, async () => {
      for (let poNumber = left.pop(); poNumber !== undefined; poNumber = left.pop()) {
        const key = randomUUID();
        await submit(poNumber, key);
        expect((await submit(poNumber, key)).headers).toMatchObject({ 'idempotency-replayed': 'true' });
      }
    });
    const readers = Array.from({ length: 4 }, async (_, at) => {
      const [vendor, own, others] =
        at % 2 === 0 ? (['acme', 'ACME-0', /BOLT-\d/] as const) : (['bolt', 'BOLT-1', /ACME-\d/] as const);
      for (let read = 0; read < 10; read += 1) {
        const text = await list(vendor);
        expect(text).toContain(own);
        expect(text).not.toMatch(others);
      }
    });
    await Promise.all([...writers, ...readers]);
    const counted = await database.inspect(
      'SELECT version, status_id, count(*)::int FROM purchase_orders GROUP BY 1, 2',
    );
    expect(counted).toEqual([{ version: 2, status_id: 200, count: ORDERS }]);
  });

  it('handles large statements and results concurrently', async () => {
    const { internal } = database.databases;
    const ask = (length: number) =>
      internal.transaction(null, (send) =>
        Promise.all([1, 2, 3].map((n) => send('SELECT $1::text AS text, $2::int AS n', ['x'.repeat(length + n), n]))),
      );
    const lengths = Array.from({ length: 60 }, (_, at) => Math.round(50 * 1.2 ** at));
    const answers: unknown[][][] = [];
    for (let at = 0; at < lengths.length; at += 5)
      answers.push(...(await Promise.all(lengths.slice(at, at + 5).map(ask))));
    const found = answers.map((rows) => rows.map(([row]) => (row as { text: string }).text.length));
    expect(found).toEqual(lengths.map((length) => [1, 2, 3].map((n) => length + n)));
  });

  it('applies the limits of the roles and leaves no state on a connection', async () => {
    const limits = Object.entries(LIMITS).map(([name, value]) => `ALTER ROLE po_vendor SET ${name} = '${value}'`);
    for (const statement of limits) await database.inspect(statement);
    (poolers[mode] as Pooler).restart();
    const columns = Object.keys(LIMITS).map((name) => `current_setting('${name}') AS ${name}`);
    const { vendor } = database.databases;
    const found = await eventually('PgBouncer is reachable again', () =>
      vendor.read(null, `SELECT ${columns.join(', ')}`),
    );
    expect(found).toEqual([LIMITS]);
    const scopes = await Promise.all(
      Array.from({ length: 40 }, (_, at) => {
        const scope = at % 2 === 0 ? { setting: 'app.vendor', value: `V-${at}` } : null;
        return vendor.read<{ vendor: string | null }>(scope, `SELECT current_setting('app.vendor', true) AS vendor`);
      }),
    );
    expect(scopes.map(([row]) => row?.vendor || null)).toEqual(
      scopes.map((_, at) => (at % 2 === 0 ? `V-${at}` : null)),
    );
  });
});

describe('PgBouncer with unsuitable settings', () => {
  let database: OrdersDatabase;
  beforeAll(async () => {
    database = await ordersDatabase();
  });
  afterAll(() => database.drop());

  it('rejects migrations, because their lock belongs to a session', async () => {
    await expect(migrate(by('transaction')(database.urls.migrations), [], logger)).rejects.toThrow(
      /unsupported startup parameter in options: idle_session_timeout/,
    );
  });

  it('reports the missing setting', async () => {
    const pool = new Database({
      url: by('unconfigured')(database.urls.internal),
      name: 'unconfigured',
      poolSize: 1,
      logger,
    });
    await expect(pool.connect()).rejects.toThrow('unsupported startup parameter: statement_timeout');
    await pool.close();
  });

  it('fails statements that were prepared on another connection', async () => {
    const pool = new Database({
      url: by('unprepared')(database.urls.internal),
      name: 'unprepared',
      poolSize: 2,
      logger,
    });
    await pool.connect();
    const ask = () => pool.transaction(null, (send) => send('SELECT $1::int AS n', [1]));
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, ask));
    await pool.close();
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    expect(reasons.join()).toMatch(/prepared statement "auto-\d+" (already exists|does not exist)/);
  });
});

it('the tested PgBouncer settings and role limits are those in CONNECTIONS.md', () => {
  for (const [setting, value] of Object.entries({ pool_mode: 'transaction', ...PREPARED }))
    expect(readText('deploy/CONNECTIONS.md')).toContain(`${setting} = ${value}`);
  for (const [setting, value] of Object.entries(LIMITS))
    expect(readText('deploy/CONNECTIONS.md')).toContain(`SET ${setting} = '${value}'`);
});
