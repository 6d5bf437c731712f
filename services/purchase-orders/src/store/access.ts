import type { Database, Scope, Send } from '@po/database';

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
