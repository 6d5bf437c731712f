import { createLogger } from '@po/platform';
import { migrate } from '@po/database';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { childEnvironment } from '../../deploy/local/config.js';
import { run } from '../../deploy/local/processes/run.js';
import { MIGRATIONS as MAIL } from '../../services/mail/src/migrations/migrations.js';
import { MIGRATIONS as NOTIFICATIONS } from '../../services/notifications/src/migrations/migrations.js';
import { MIGRATIONS as PURCHASE_ORDERS } from '../../services/purchase-orders/src/migrations/migrations.js';
import { testDatabases } from '@po/testing/databases';

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

/** What is recorded as applied, in its order, and what the schema looks like. */
async function stateOf(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const applied = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    const columns = await client.query(
      `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
    );
    return { applied: applied.rows.map(({ name }) => name), columns: columns.rows };
  } finally {
    await client.end();
  }
}

describe.each(SERVICES)('the migration job of %s', (service, migrations, urlOf) => {
  /** The program that the image runs; resolves with the names that it applied. */
  const job = async () => {
    const printed = await run(process.execPath, [`services/${service}/dist/migrate.js`], {
      env: childEnvironment({ DATABASE_URL_MIGRATIONS: urlOf(databases) }),
    });
    const lines = printed.trim().split('\n');
    return (JSON.parse(lines.at(-1) as string) as { applied: string[] }).applied;
  };

  it('three times at once: one applies everything, the others find it done', async () => {
    const applied = await Promise.all([job(), job(), job()]);
    expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([namesOf(migrations), [], []]);
    expect((await stateOf(urlOf(databases))).applied).toEqual(namesOf(migrations));
  });

  it('of the release before, after this one: nothing is undone, as where a release is taken back', async () => {
    await job();
    const after = await stateOf(urlOf(databases));
    const before = migrations.slice(0, -1);
    expect(await migrate(urlOf(databases), before, createLogger('test', 'silent'))).toEqual([]);
    expect(await stateOf(urlOf(databases))).toEqual(after);
  });
});
