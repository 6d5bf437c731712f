import pg from 'pg';

/** URLs of one database, by role; `inspection` sees every row and is for people and tests. */
export interface PurchaseOrdersUrls {
  migrations: string;
  internal: string;
  vendor: string;
  inspection: string;
}
export interface NotificationsUrls {
  migrations: string;
  internal: string;
  user: string;
  inspection: string;
}
export interface DatabaseUrls {
  purchaseOrders: PurchaseOrdersUrls;
  notifications: NotificationsUrls;
}
export interface DatabaseNames {
  purchaseOrders: string;
  notifications: string;
}

export const DATABASE_NAMES: DatabaseNames = { purchaseOrders: 'purchase_orders', notifications: 'notifications' };

// Roles belong to the whole PostgreSQL server. The passwords are for loopback only; a platform team makes its own roles.
const ROLES = {
  po_migrator: 'BYPASSRLS',
  po_internal: '',
  po_vendor: '',
  notifications_migrator: 'BYPASSRLS',
  notifications_internal: '',
  notifications_user: '',
} as const;
type Role = keyof typeof ROLES;
const passwordOf = (role: Role): string => `${role}_local`;

// Any constant that nothing else locks: roles are created by one process at a time.
const LOCK = 7_301_156;

/**
 * Creates both databases with their owners, and the roles that the services connect as. What exists stays as it is. `adminUrl` is
 * of a role that may create databases and roles (with BYPASSRLS, which only a superuser may give).
 */
export async function createDatabases(adminUrl: string, names: DatabaseNames = DATABASE_NAMES): Promise<DatabaseUrls> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [LOCK]);
    for (const role of Object.keys(ROLES) as Role[]) {
      const { rowCount } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
      if (rowCount === 0) await admin.query(`CREATE ROLE ${role} LOGIN ${ROLES[role]} PASSWORD '${passwordOf(role)}'`);
    }
    await createDatabase(admin, names.purchaseOrders, 'po_migrator');
    await createDatabase(admin, names.notifications, 'notifications_migrator');
  } finally {
    await admin.end();
  }
  return databaseUrls(adminUrl, names);
}

/** The URLs of databases that exist already. */
export function databaseUrls(adminUrl: string, names: DatabaseNames = DATABASE_NAMES): DatabaseUrls {
  const url = (database: string, role?: Role): string => {
    const target = new URL(adminUrl);
    target.pathname = `/${database}`;
    if (role) {
      target.username = role;
      target.password = passwordOf(role);
    }
    return target.href;
  };
  const { purchaseOrders: orders, notifications } = names;
  return {
    purchaseOrders: {
      migrations: url(orders, 'po_migrator'),
      internal: url(orders, 'po_internal'),
      vendor: url(orders, 'po_vendor'),
      inspection: url(orders),
    },
    notifications: {
      migrations: url(notifications, 'notifications_migrator'),
      internal: url(notifications, 'notifications_internal'),
      user: url(notifications, 'notifications_user'),
      inspection: url(notifications),
    },
  };
}

/** Drops both databases, ending what is still connected. */
export async function dropDatabases(adminUrl: string, { purchaseOrders, notifications }: DatabaseNames): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const name of [purchaseOrders, notifications]) {
      await admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    }
  } finally {
    await admin.end();
  }
}

async function createDatabase(admin: pg.Client, name: string, owner: Role): Promise<void> {
  const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER ${owner}`);
}
