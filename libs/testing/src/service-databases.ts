import { readFile } from 'node:fs/promises';
import pg from 'pg';

/** Resolves to the same file from src and from dist. */
const ROLES = new URL('../roles.sql', import.meta.url);

export interface DatabaseNames {
  purchaseOrders: string;
  notifications: string;
  mail: string;
}

/** Connection URLs, one per role; `inspection` sees every row. */
export interface DatabaseUrls {
  purchaseOrders: { migrations: string; internal: string; vendor: string; inspection: string };
  notifications: { migrations: string; internal: string; user: string; inspection: string };
  mail: { migrations: string; internal: string; inspection: string };
}

const NAMES: DatabaseNames = { purchaseOrders: 'purchase_orders', notifications: 'notifications', mail: 'mail' };
const OWNERS = {
  purchaseOrders: 'po_migrator',
  notifications: 'notifications_migrator',
  mail: 'mail_migrator',
} as const satisfies DatabaseNames;
export type DatabaseService = keyof DatabaseNames;
const SERVICES = Object.keys(OWNERS) as DatabaseService[];

/**
 * Creates the missing databases of these services and the missing roles of all services. Changes nothing that exists. The role of
 * `adminUrl` must be able to create both and bypass row-level security. Can run concurrently.
 */
export async function createDatabases(
  adminUrl: string,
  names: DatabaseNames = NAMES,
  services: readonly DatabaseService[] = SERVICES,
): Promise<DatabaseUrls> {
  await asAdmin(adminUrl, async (client) => {
    await client.query(await readFile(ROLES, 'utf8'));
    for (const service of services) await createDatabase(client, names[service], OWNERS[service]);
  });
  const url = (database: string, role?: string) => {
    const target = new URL(adminUrl);
    target.pathname = `/${database}`;
    return role ? asRole(target.href, role) : target.href;
  };
  return {
    purchaseOrders: {
      migrations: url(names.purchaseOrders, 'po_migrator'),
      internal: url(names.purchaseOrders, 'po_internal'),
      vendor: url(names.purchaseOrders, 'po_vendor'),
      inspection: url(names.purchaseOrders),
    },
    notifications: {
      migrations: url(names.notifications, 'notifications_migrator'),
      internal: url(names.notifications, 'notifications_internal'),
      user: url(names.notifications, 'notifications_user'),
      inspection: url(names.notifications),
    },
    mail: {
      migrations: url(names.mail, 'mail_migrator'),
      internal: url(names.mail, 'mail_internal'),
      inspection: url(names.mail),
    },
  };
}

/** URL of the same database for another role; on a local or test server, a role's password is its name. */
export function asRole(url: string, role: string): string {
  const target = new URL(url);
  [target.username, target.password] = [role, role];
  return target.href;
}

/** Drops the databases even if clients are connected. Keeps the roles, because other databases of the server use them. */
export async function dropDatabases(adminUrl: string, names: DatabaseNames): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    for (const name of Object.values(names)) await dropDatabase(client, name);
  });
}

/** Copies databases that have no connections. Several copies of the same databases can run concurrently. */
export async function copyDatabases(
  adminUrl: string,
  from: DatabaseNames,
  to: DatabaseNames,
  services: readonly DatabaseService[],
): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    for (const service of services) {
      const [copy, source] = [pg.escapeIdentifier(to[service]), pg.escapeIdentifier(from[service])];
      await client.query(`CREATE DATABASE ${copy} OWNER ${OWNERS[service]} TEMPLATE ${source}`);
    }
  });
}

/** Renames databases that have no connections, in the order of the services. */
export async function renameDatabases(
  adminUrl: string,
  from: DatabaseNames,
  to: DatabaseNames,
  services: readonly DatabaseService[],
): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    for (const service of services) {
      const [before, after] = [pg.escapeIdentifier(from[service]), pg.escapeIdentifier(to[service])];
      await client.query(`ALTER DATABASE ${before} RENAME TO ${after}`);
    }
  });
}

/** Drops every database whose name contains this part. */
export async function dropDatabasesOf(adminUrl: string, part: string): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE strpos(datname, $1) > 0',
      [part],
    );
    for (const { datname } of rows) await dropDatabase(client, datname);
  });
}

const dropDatabase = (client: pg.Client, name: string) =>
  client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);

async function createDatabase(client: pg.Client, name: string, owner: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount) return;
  try {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER ${owner}`);
  } catch (error) {
    // 42P04, 23505: another process has just created the database.
    if (!['42P04', '23505'].includes((error as pg.DatabaseError).code ?? '')) throw error;
  }
}

async function asAdmin(adminUrl: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}
