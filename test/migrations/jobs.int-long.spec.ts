import { createLogger } from '@po/platform';
import { migrate } from '@po/database';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { childEnvironment } from '../../deploy/local/config.js';
import { run } from '../../deploy/local/processes/run.js';
import { MIGRATIONS as MAIL } from '../../services/mail/src/migrations/migrations.js';
import { MIGRATIONS as NOTIFICATIONS } from '../../services/notifications/src/migrations/migrations.js';
import { MIGRATIONS as PURCHASE_ORDERS } from '../../services/purchase-orders/src/migrations/migrations.js';
import { testDatabases } from '@po/testing/databases';
import { documents } from '@po/testing/documents';
import { rowsOf } from '../support/rows.js';

const SERVICES = [
  ['purchase-orders', PURCHASE_ORDERS, (of: Databases) => of.purchaseOrders.migrations],
  ['notifications', NOTIFICATIONS, (of: Databases) => of.notifications.migrations],
  ['mail', MAIL, (of: Databases) => of.mail.migrations],
] as const;

type Databases = Awaited<ReturnType<typeof testDatabases>>;

let databases: Databases;
beforeEach(async () => {
  databases = await testDatabases({
    name: 'empty',
    services: ['purchaseOrders', 'notifications', 'mail'],
    fill: () => Promise.resolve(),
  });
});
afterEach(() => databases.drop());

const namesOf = (migrations: (typeof SERVICES)[number][1]) => migrations.map((each) => String(new each().name));

/** Applied migrations in order, and the columns of the schema. */
async function stateOf(url: string) {
  const applied = await rowsOf<{ name: string }>(url, 'SELECT name FROM migrations ORDER BY id');
  const columns = await rowsOf(
    url,
    `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
  );
  return { applied: applied.map(({ name }) => name), columns };
}

describe.each(SERVICES)('the migration job of %s', (service, migrations, urlOf) => {
  /** Runs the program of the image. Returns the names of the migrations that it applied. */
  const job = async () => {
    const printed = await run(process.execPath, [`services/${service}/dist/migrate.js`], {
      env: childEnvironment({ DATABASE_URL_MIGRATIONS: urlOf(databases) }),
    });
    const lines = printed.trim().split('\n');
    return (JSON.parse(lines.at(-1) as string) as { applied: string[] }).applied;
  };

  it('applies every migration once in three jobs at the same time; then that of the previous release changes nothing', async () => {
    const applied = await Promise.all([job(), job(), job()]);
    expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([namesOf(migrations), [], []]);
    const after = await stateOf(urlOf(databases));
    expect(after.applied).toEqual(namesOf(migrations));
    // As in a rollback.
    const before = migrations.slice(0, -1);
    expect(await migrate(urlOf(databases), before, createLogger('test', 'silent'))).toEqual([]);
    expect(await stateOf(urlOf(databases))).toEqual(after);
  });
});

it('the migrations create what the runbooks query, with the privileges to read it', async () => {
  const logger = createLogger('test', 'silent');
  for (const [, migrations, urlOf] of SERVICES) await migrate(urlOf(databases), migrations, logger);
  const { purchaseOrders, notifications, mail } = databases;
  const urls: Record<string, string[]> = {
    DATABASE_URL_INTERNAL: [purchaseOrders.internal, notifications.internal, mail.internal],
    ADMIN_URL: [purchaseOrders.inspection],
  };
  const statements = documents
    .filter(({ path }) => path.startsWith('deploy/observability/runbooks/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/psql "\$(\w+)" --command "(SELECT [^"]+)"/g)].map((found) => [path, ...found.slice(1)]),
    );
  expect(statements.length).toBeGreaterThan(6);
  for (const [path, url = '', sql = ''] of statements) {
    const tried = await Promise.allSettled((urls[url] ?? []).map((each) => rowsOf(each, `EXPLAIN ${sql}`)));
    expect([path, sql, tried.some(({ status }) => status === 'fulfilled')]).toEqual([path, sql, true]);
  }
});
