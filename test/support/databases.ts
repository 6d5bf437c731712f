import { randomUUID } from 'node:crypto';
import { type DatabaseUrls, createDatabases, dropDatabases } from '../../deploy/local/stores/databases.js';
import { databaseUrl } from './stores.js';

/** Both services' databases, empty, under random names on the server of DATABASE_URL; `drop` removes them. */
export async function testDatabases(): Promise<DatabaseUrls & { drop: () => Promise<void> }> {
  const suffix = randomUUID().slice(0, 8);
  const names = { purchaseOrders: `purchase_orders_${suffix}`, notifications: `notifications_${suffix}` };
  const admin = databaseUrl();
  return { ...(await createDatabases(admin, names)), drop: () => dropDatabases(admin, names) };
}
