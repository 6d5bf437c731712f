import type { Logger } from '@po/platform';
import { type Pool, type PoolClient, escapeLiteral } from 'pg';
import { Gauge } from 'prom-client';
import { DataSource, type EntityManager, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { pipelined } from './pipelined.js';
import { PreparingClient } from './preparing-client.js';
import { ReadBatches } from './read-batches.js';

export interface DatabaseOptions {
  url: string;
  /** Shown in pg_stat_activity and as the `pool` label of the pool metrics. */
  name: string;
  poolSize: number;
  entities?: EntityTarget<ObjectLiteral>[];
  logger: Logger;
}

/** A statement PostgreSQL plans once per connection: `name` must be unique per text. */
export interface Statement {
  name: string;
  text: string;
}

/** Sends a statement, mostly of a transaction. Resolves with its rows. */
export type Send = <Row extends ObjectLiteral>(statement: Statement, values?: unknown[]) => Promise<Row[]>;

/** The row-level security setting of a restricted role, for example `{ setting: 'app.vendor', value: 'ACME' }`. */
export interface Scope {
  setting: string;
  value: string;
}

const STATEMENT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 4_000;
const CONNECTION_TIMEOUT_MS = 3_000;

const connections = new Gauge({
  name: 'db_pool_connections',
  help: 'Connections of a pool by state; waiting = requests without one',
  labelNames: ['pool', 'state'],
});

/** One database role's connection pool: prepared reads, and transactions over TypeORM's entity manager. */
export class Database {
  private readonly source: DataSource;
  private pool: Pool | null = null;
  private readonly reads = new ReadBatches((run) => this.onClient(run));

  constructor(private readonly options: DatabaseOptions) {
    this.source = new DataSource({
      type: 'postgres',
      url: options.url,
      applicationName: options.name,
      entities: (options.entities ?? []) as never[],
      poolSize: options.poolSize,
      connectTimeoutMS: CONNECTION_TIMEOUT_MS,
      extra: {
        Client: PreparingClient,
        // Statements that do not wait for each other go out together; each is still answered on its own.
        pipeline: true,
        statement_timeout: STATEMENT_TIMEOUT_MS,
        lock_timeout: LOCK_TIMEOUT_MS,
        idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
      },
      poolErrorHandler: (error: unknown) =>
        options.logger.warn({ err: error, pool: options.name }, 'a database connection broke'),
    });
  }

  /** Opens the pool; rejects when PostgreSQL does not answer. */
  async connect(): Promise<void> {
    if (!this.source.isInitialized) await this.source.initialize();
    const pool = (this.source.driver as unknown as { master: Pool }).master;
    this.pool = pool;
    const observe = () => {
      connections.set({ pool: this.options.name, state: 'idle' }, pool.idleCount);
      connections.set({ pool: this.options.name, state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ pool: this.options.name, state: 'waiting' }, pool.waitingCount);
    };
    for (const event of ['connect', 'acquire', 'release', 'remove'] as const) pool.on(event, observe);
  }

  /** The pg pool behind this role. Throws before `connect`. */
  get connectionPool(): Pool {
    if (!this.pool) throw new Error(`database pool ${this.options.name} is not connected`);
    return this.pool;
  }

  /**
   * Rows of one prepared statement; with a scope, inside a read-only transaction that row-level security sees it in. For quick ones:
   * reads of one turn of the event loop share connections.
   */
  read<Row extends ObjectLiteral>(scope: Scope | null, statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return this.reads.add(async (client) => {
      if (!scope) return (await client.query<Row>({ ...statement, values })).rows;
      const [, result] = await Promise.all([
        client.query(`BEGIN READ ONLY;${setScope(scope)}`),
        client.query<Row>({ ...statement, values }),
        client.query('COMMIT'),
      ]);
      return result.rows;
    });
  }

  /** Several statements on one snapshot (REPEATABLE READ, read only), in the given scope. */
  async readAll<T>(scope: Scope | null, run: (read: Send) => Promise<T>): Promise<T> {
    return this.onClient(async (client) => {
      const begun = client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;${scope ? setScope(scope) : ''}`);
      begun.catch(() => undefined);
      const result = await run(async (statement, values = []) => (await client.query({ ...statement, values })).rows);
      await Promise.all([begun, client.query('COMMIT')]);
      return result;
    });
  }

  /** One transaction over TypeORM's entity manager; `scope` is set locally to it. Rolls back on any error, which is rethrown. */
  async transaction<T>(scope: Scope | null, run: (manager: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    // TypeORM locks rows and nests its own statements only while it believes that a transaction is open.
    const state = runner as { isTransactionActive: boolean };
    try {
      const client = (await runner.connect()) as PoolClient;
      try {
        // Not awaited before the first statement, which goes out with it and fails if this does.
        const begun = client.query(`BEGIN;${scope ? setScope(scope) : ''}`);
        begun.catch(() => undefined);
        state.isTransactionActive = true;
        const result = await run(runner.manager);
        await begun;
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // A connection that cannot even roll back is dead, and the pool drops it.
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    } finally {
      state.isTransactionActive = false;
      await runner.release();
    }
  }

  /**
   * One transaction of hand-written statements, without TypeORM. What `run` sends without waiting in between goes out together, and
   * it need not wait for its last statements: COMMIT follows them. Any failure rolls back; of several, the first is thrown.
   */
  async atomically<T>(run: (send: Send) => Promise<T>): Promise<T> {
    return this.onClient(async (client) => {
      const sent: Promise<unknown>[] = [];
      const send = <Row extends ObjectLiteral>(
        statement: Statement | string,
        values: unknown[] = [],
      ): Promise<Row[]> => {
        const answered = client
          .query<Row>(typeof statement === 'string' ? statement : { ...statement, values })
          .then(({ rows }) => rows);
        // It is awaited at the end: a rejection before that must not count as unhandled, which would end the process.
        answered.catch(() => undefined);
        sent.push(answered);
        return answered;
      };
      void send('BEGIN');
      const result = await run(send).catch(async (error: unknown) => {
        await pipelined(sent);
        throw error;
      });
      void send('COMMIT');
      await pipelined(sent);
      return result;
    });
  }

  async close(): Promise<void> {
    this.pool = null;
    if (this.source.isInitialized) await this.source.destroy();
  }

  private async onClient<T>(run: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connectionPool.connect();
    let broken: Error | undefined;
    try {
      return await run(client);
    } catch (error) {
      await client.query('ROLLBACK').catch((reason: Error) => (broken = reason));
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

// In the same message as BEGIN: a scoped read must not cost another round trip.
function setScope({ setting, value }: Scope): string {
  return `SELECT set_config(${escapeLiteral(setting)}, ${escapeLiteral(value)}, true)`;
}
