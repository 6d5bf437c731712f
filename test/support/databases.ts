import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type DatabaseUrls, createDatabases, dropDatabases } from '../../deploy/local/stores/databases.js';
import { eventually } from './eventually.js';
import { databaseUrl } from './stores.js';

/** Both services' databases, empty, under random names on the server of DATABASE_URL; `drop` removes them once nobody uses them. */
export async function testDatabases(): Promise<DatabaseUrls & { drop: () => Promise<void> }> {
  const suffix = randomUUID().slice(0, 8);
  const names = { purchaseOrders: `purchase_orders_${suffix}`, notifications: `notifications_${suffix}` };
  const admin = databaseUrl();
  return {
    ...(await createDatabases(admin, names)),
    drop: async () => {
      await clientsLeft(admin, Object.values(names));
      await dropDatabases(admin, names);
    },
  };
}

// A pool's end() resolves when its connections were told to close, not when they are closed. To one that is still open PostgreSQL
// says that its database is dropped, which the pool emits as an error that nobody listens to: jest fails whatever test then runs.
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
