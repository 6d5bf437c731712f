import { type Actor, vendorScopeOf } from '@po/contracts';
import { Database, type Scope, refuseBypass, requireMigrations } from '@po/database';
import type { Logger } from '@po/platform';
import { MIGRATIONS } from '../migrations/migrations.js';
import { recentOrders } from './load-order.js';

export interface DatabasesOptions {
  internalUrl: string;
  vendorUrl: string;
  poolSize: number;
  logger: Logger;
}

/** Where a caller's statements run and what they may see. */
export interface Access {
  database: Database;
  /** What row-level security sees; null for a role that may see all. */
  scope: Scope | null;
  /** The vendor that every statement must name, or null for all vendors. */
  vendorCode: string | null;
}

/** The pools of the two database roles: one sees every vendor's rows, the other only those of the vendor set in its transaction. */
export class Databases {
  readonly internal: Database;
  readonly vendor: Database;
  /** The orders that this process read or wrote last. */
  readonly recent = recentOrders();

  constructor({ internalUrl, vendorUrl, poolSize, logger }: DatabasesOptions) {
    const common = { poolSize, logger };
    this.internal = new Database({ ...common, url: internalUrl, name: 'purchase-orders-internal' });
    this.vendor = new Database({ ...common, url: vendorUrl, name: 'purchase-orders-vendor' });
  }

  /** Opens both pools; rejects when PostgreSQL does not answer, or row-level security would do nothing. Safe to call again. */
  async connect(): Promise<void> {
    await this.internal.connect();
    await this.vendor.connect();
    await refuseBypass(this.vendor);
  }

  /** Rejects, naming what is missing, while the schema is older than this build. */
  requireSchema(): Promise<void> {
    return requireMigrations(this.internal, MIGRATIONS);
  }

  /** Throws VENDOR_NOT_LINKED for a vendor without a vendor code. */
  accessOf(actor: Actor): Access {
    return this.accessTo(vendorScopeOf(actor));
  }

  /** The access to one vendor's orders, or to all for null. */
  accessTo(vendorCode: string | null): Access {
    if (vendorCode === null) return { database: this.internal, scope: null, vendorCode };
    return { database: this.vendor, scope: { setting: 'app.vendor', value: vendorCode }, vendorCode };
  }

  async close(): Promise<void> {
    await Promise.all([this.internal.close(), this.vendor.close()]);
  }
}
