import { Database, refuseBypass, requireMigrations } from '@po/database';
import { UntilUserKnown } from '@po/messaging';
import type { Logger } from '@po/platform';
import { MIGRATIONS } from '../migrations/migrations.js';

export interface DatabasesOptions {
  internalUrl: string;
  userUrl: string;
  poolSize: number;
  logger: Logger;
}

/** The two connection pools: `internal` sees every row, `user` only the rows of the user named in its scope. */
export class Databases {
  readonly internal: Database;
  readonly user: Database;
  /** Repeats transactions that depend on a user who is not announced yet. */
  readonly untilUserKnown = new UntilUserKnown();

  constructor({ internalUrl, userUrl, poolSize, logger }: DatabasesOptions) {
    this.internal = new Database({ url: internalUrl, name: 'notifications-internal', poolSize, logger });
    this.user = new Database({ url: userUrl, name: 'notifications-user', poolSize, logger });
  }

  /** Opens both pools. Rejects if PostgreSQL does not answer or row-level security would have no effect. Can be called repeatedly. */
  async connect(): Promise<void> {
    await this.internal.connect();
    await this.user.connect();
    await refuseBypass(this.user);
  }

  /** Rejects with the missing migrations while the schema is older than this build. */
  requireSchema(): Promise<void> {
    return requireMigrations(this.internal, MIGRATIONS);
  }

  async close(): Promise<void> {
    await Promise.all([this.internal.close(), this.user.close()]);
  }
}
