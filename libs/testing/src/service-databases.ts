import { readFile } from 'node:fs/promises';
import pg from 'pg';

/** The same file from src and from dist. */
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
 * Creates the databases that are missing, of these services, and the roles of their services; nothing that exists changes. `adminUrl` is of a
 * role that may create them and bypass row-level security. Safe when several run at once.
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

/** The same database as this role; on a stack of one's own a role's password is its name. */
export function asRole(url: string, role: string): string {
  const target = new URL(url);
  [target.username, target.password] = [role, role];
  return target.href;
}

/** Drops the databases, connected clients or not. The roles stay: other databases of the server use them. */
export async function dropDatabases(adminUrl: string, names: DatabaseNames): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    for (const name of Object.values(names)) await dropDatabase(client, name);
  });
}

/** Copies databases to which nobody is connected. Safe when several copy the same ones at once. */
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

/** Renames databases to which nobody is connected; in the order of the services. */
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

/** Drops every database whose name has this part. */
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
    // 42P04, 23505: another process created it just now.
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
