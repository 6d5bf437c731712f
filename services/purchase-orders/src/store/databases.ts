import { type Actor, vendorScopeOf } from '@po/contracts';
import { Database, refuseBypass, requireMigrations } from '@po/database';
import type { Logger } from '@po/platform';
import { MIGRATIONS } from '../migrations/migrations.js';
import { Access } from './access.js';
import { OrderStore } from './load-order.js';

export interface DatabasesOptions {
  internalUrl: string;
  vendorUrl: string;
  poolSize: number;
  logger: Logger;
}

/** The pools of the two database roles: one sees every vendor's rows, the other only those of the vendor set in its transaction. */
export class Databases {
  readonly internal: Database;
  readonly vendor: Database;
  readonly orders = new OrderStore();

  constructor({ internalUrl, vendorUrl, poolSize, logger }: DatabasesOptions) {
    const common = { poolSize, logger };
    this.internal = new Database({ ...common, url: internalUrl, name: 'purchase-orders-internal' });
    this.vendor = new Database({ ...common, url: vendorUrl, name: 'purchase-orders-vendor' });
  }

  /** Opens both pools. Rejects if PostgreSQL does not answer, or if row-level security would have no effect. Safe to call again. */
  async connect(): Promise<void> {
    await this.internal.connect();
    await this.vendor.connect();
    await refuseBypass(this.vendor);
  }

  /** Rejects with the names of missing migrations while the schema is older than this build. */
  requireSchema(): Promise<void> {
    return requireMigrations(this.internal, MIGRATIONS);
  }

  /** Throws VENDOR_NOT_LINKED for a vendor without a vendor code. */
  accessOf(actor: Actor): Access {
    return this.accessTo(vendorScopeOf(actor));
  }

  /** The access to one vendor's orders; null means all orders. */
  accessTo(vendorCode: string | null): Access {
    return new Access(vendorCode === null ? this.internal : this.vendor, vendorCode);
  }

  async close(): Promise<void> {
    await Promise.all([this.internal.close(), this.vendor.close()]);
  }
}
