import { type Actor, vendorScopeOf } from '@po/contracts';
import { Database, type Scope, type Send, refuseBypass, requireMigrations } from '@po/database';
import { UntilUserKnown } from '@po/messaging';
import type { Logger } from '@po/platform';
import { MIGRATIONS } from '../migrations/migrations.js';
import { OrderStore } from './load-order.js';

export interface DatabasesOptions {
  internalUrl: string;
  vendorUrl: string;
  poolSize: number;
  logger: Logger;
}

/**
 * Sends a named statement in the caller's scope, and resolves with its rows. `own(column)` is the condition that restricts rows to the
 * caller's vendor.
 */
export type Read = <Row extends object>(
  name: string,
  values: readonly unknown[],
  text: (own: (column: string) => string) => string,
) => Promise<Row[]>;

/** The orders that a caller may see: all of them, or those of one vendor, to which row-level security then limits each statement. */
export class Access {
  private readonly scope: Scope | null;
  /** One statement on its own. */
  readonly read: Read = this.reading((statement, values) => this.database.read(this.scope, statement, values));

  constructor(
    private readonly database: Database,
    /** Null for all vendors. */
    readonly vendorCode: string | null,
  ) {
    this.scope = vendorCode === null ? null : { setting: 'app.vendor', value: vendorCode };
  }

  /** Several statements on one snapshot. `send` is for rows of an id that `read` found, and for lists, which bind the vendor code themselves. */
  readAll<T>(run: (read: Read, send: Send) => Promise<T>): Promise<T> {
    return this.database.readAll(this.scope, (send) => run(this.reading(send), send));
  }

  transaction<T>(run: (send: Send) => Promise<T>): Promise<T> {
    return this.database.transaction(this.scope, run);
  }

  /** `read` for statements of the caller's transaction. Two texts instead of one with OR: each is planned with the indexes that it can use. */
  reading(send: Send): Read {
    return (name, values, text) => {
      const { vendorCode } = this;
      if (vendorCode === null) return send({ name, text: text(() => 'true') }, [...values]);
      const position = values.length + 1;
      const own = (column: string) => `${column} = $${position}`;
      return send({ name: `${name}-of-vendor`, text: text(own) }, [...values, vendorCode]);
    };
  }
}

/** The pools of the two database roles: one sees every vendor's rows, the other only those of the vendor set in its transaction. */
export class Databases {
  readonly internal: Database;
  readonly vendor: Database;
  readonly orders = new OrderStore();
  /** Repeats transactions that depend on a user who is not announced yet. */
  readonly untilUserKnown = new UntilUserKnown();

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
