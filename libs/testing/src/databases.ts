import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  type DatabaseNames,
  type DatabaseService,
  type DatabaseUrls,
  copyDatabases,
  createDatabases,
  dropDatabases,
  renameDatabases,
} from './service-databases.js';
import { eventually } from './eventually.js';
import { databaseUrl } from './stores.js';

export type { DatabaseUrls } from './service-databases.js';

/** Initial content of databases. Created once per test run and then copied; a name stands for one content. */
export interface Content {
  name: string;
  /** Services whose databases it fills. */
  services: readonly DatabaseService[];
  fill: (urls: DatabaseUrls) => Promise<void>;
}

/**
 * Databases of the services under random names on the server of DATABASE_URL, empty without a content. `drop` removes them after their last
 * client has disconnected.
 */
export async function testDatabases(content?: Content): Promise<DatabaseUrls & { drop: () => Promise<void> }> {
  const names = databaseNames(randomUUID().slice(0, 8));
  const admin = databaseUrl();
  const services = content?.services ?? ['purchaseOrders', 'notifications'];
  // Set by the test command, which removes all databases with this prefix.
  const run = process.env.TEST_RUN;
  if (content && run)
    await copyDatabases(admin, await template(admin, `${run}_${content.name}`, content), names, services);
  if (content && !run) await content.fill(await createDatabases(admin, names, services));
  return {
    ...(await createDatabases(admin, names, services)),
    drop: async () => {
      await clientsLeft(admin, Object.values(names));
      await dropDatabases(admin, names);
    },
  };
}

const databaseNames = (suffix: string): DatabaseNames => ({
  purchaseOrders: `purchase_orders_${suffix}`,
  notifications: `notifications_${suffix}`,
  mail: `mail_${suffix}`,
});

/** Template databases, filled on first use. */
async function template(admin: string, name: string, { fill, services }: Content): Promise<DatabaseNames> {
  const names = databaseNames(name);
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
      services.map((service) => names[service]).at(-1),
    ]);
    if (rowCount) return names;
    // Renamed when complete, so that tests do not copy what a failed test filled only partly.
    const unfinished = databaseNames(`${name}_${randomUUID().slice(0, 8)}`);
    await fill(await createDatabases(admin, unfinished, services));
    await clientsLeft(admin, Object.values(unfinished));
    await renameDatabases(admin, unfinished, names, services);
    return names;
  } finally {
    await client.end();
  }
}

// Waits for the clients, because a pool's end() resolves when its connections were asked to close, not when they are closed. PostgreSQL
// reports the drop to connections that are still open, and the pool emits that as an unhandled error, which fails whichever test is running
// in jest.
async function clientsLeft(admin: string, databases: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    await eventually('every client of the test databases has left', async () => {
      const { rows } = await client.query<{ application_name: string }>(
        `SELECT application_name FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = ANY ($1)`,
        [databases],
      );
      if (rows.length > 0) throw new Error(`still connected: ${rows.map((row) => row.application_name).join(', ')}`);
      return true;
    });
  } finally {
    await client.end();
  }
}
