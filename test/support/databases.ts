import { randomUUID } from 'node:crypto';
import { type DatabaseUrls, createDatabases, dropDatabases } from '../../deploy/local/databases.js';
import { databaseUrl } from './stores.js';

/** Two fresh, empty databases with random names on the PostgreSQL of `DATABASE_URL`; `drop` removes them. */
export async function testDatabases(): Promise<DatabaseUrls & { drop: () => Promise<void> }> {
  const suffix = randomUUID().replaceAll('-', '').slice(0, 16);
  const names = { purchaseOrders: `test_po_${suffix}`, notifications: `test_nt_${suffix}` };
  const urls = await createDatabases(databaseUrl(), names);
  return { ...urls, drop: () => dropDatabases(databaseUrl(), names) };
}
