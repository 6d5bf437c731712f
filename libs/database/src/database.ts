import type { Logger } from '@po/platform';
import pg, { type PoolClient } from 'pg';
import { abandonLostServers, isServerLost } from './connections.js';
import { observePool, recordPoolWait } from './pool-metrics.js';
import { pipelined } from './pipelined.js';
import { PreparingClient } from './preparing-client.js';
import { ReadBatches } from './read-batches.js';
import { serverAt } from './server.js';
import { type DatabaseAttributes, inStatementSpan, inTransactionSpan, databaseAttributes } from './statement-spans.js';

export interface DatabaseOptions {
  url: string;
  /** Shown in pg_stat_activity and as the `pool` label of the pool metrics. */
  name: string;
  poolSize: number;
  logger: Logger;
  /** Milliseconds without an answer after which a connection is given up; 7,000 if absent, which is above the server's limits. */
  responseTimeoutMs?: number;
}

/** A statement that PostgreSQL plans once per connection. `name` must be unique per text. */
export interface Statement {
  name: string;
  text: string;
  /** Expected number of rows; any other number fails the statement. */
  rows?: number;
}

/** Sends a statement, usually within a transaction, and resolves with its rows. A bare text is prepared too, under a generated name. */
export type Send = <Row extends object>(statement: Statement | string, values?: unknown[]) => Promise<Row[]>;

/** Row-level security setting of a restricted role, for example `{ setting: 'app.vendor', value: 'ACME' }`. */
export interface Scope {
  setting: string;
  value: string;
}

const COMMIT = 'COMMIT';
const STATEMENT_TIMEOUT_MS = 5_000;
/** Longest pause between two statements of a transaction: a stopped process must not keep its locks. */
const IDLE_TIMEOUT_MS = 2 * STATEMENT_TIMEOUT_MS;
const MAX_IDLE_TIMEOUT_MS = 2 * IDLE_TIMEOUT_MS;
/** A write may wait for three locks in one packet; the response timeout of its statements starts when the packet is sent. */
const LOCK_TIMEOUT_MS = 2_000;
const CONNECTION_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 7_000;
/** Milliseconds by which the answer limit exceeds the statement timeout. */
const BEYOND_MS = RESPONSE_TIMEOUT_MS - STATEMENT_TIMEOUT_MS;
const KEEP_ALIVE_MS = 5_000;

/** Connection pool of one database role, for prepared reads and pipelined transactions. */
export class Database {
  private pool: pg.Pool | null = null;
  private readonly reads = new ReadBatches((run) => this.onClient(run));
  private readonly traced: DatabaseAttributes;

  constructor(private readonly options: DatabaseOptions) {
    this.traced = databaseAttributes(options.url);
  }

  /** Opens the pool. Rejects if PostgreSQL does not answer. Safe to call again. */
  async connect(): Promise<void> {
    this.pool ??= this.newPool();
    (await this.pool.connect()).release();
  }

  /** The pg pool of this role. Throws before `connect`. */
  get connectionPool(): pg.Pool {
    if (!this.pool) throw new Error(`database pool ${this.options.name} is not connected`);
    return this.pool;
  }

  /**
   * Returns the rows of one prepared statement. With a scope, it runs in a read-only transaction that sets the scope for row-level
   * security. For quick statements only, because reads of one event-loop turn share connections.
   */
  read<Row extends object>(scope: Scope | null, statement: Statement | string, values: unknown[] = []): Promise<Row[]> {
    const work = async (client: PoolClient) => {
      if (!scope) return rowsOf<Row>(client, statement, values);
      const sent = [begin(client, 'BEGIN READ ONLY', scope), rowsOf<Row>(client, statement, values)] as const;
      await pipelined([...sent, client.query('COMMIT')]);
      return sent[1];
    };
    return inStatementSpan(this.traced, statement, () => this.reads.add(work));
  }

  /** Runs several statements on one snapshot (REPEATABLE READ, read only) in the given scope. */
  async readAll<T>(scope: Scope | null, run: (read: Send) => Promise<T>): Promise<T> {
    const beginning = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
    return inTransactionSpan(this.traced, 'read-only transaction', () => this.inTransaction(beginning, scope, run));
  }

  /**
   * Runs one transaction with `scope` set locally. Statements that `run` sends without waiting in between leave together. `run` need not
   * wait for its last statements: COMMIT follows them in the same packet. Any failure rolls back; the first of several is thrown.
   * `statementMs`: time limit of each statement, 5,000 if absent, and of each pause between two, within 10,000 to 20,000.
   */
  async transaction<T>(scope: Scope | null, run: (send: Send) => Promise<T>, statementMs?: number): Promise<T> {
    return inTransactionSpan(this.traced, 'transaction', () => this.inTransaction('BEGIN', scope, run, statementMs));
  }

  async close(): Promise<void> {
    const { pool } = this;
    this.pool = null;
    await pool?.end();
  }

  private inTransaction<T>(
    beginning: string,
    scope: Scope | null,
    run: (send: Send) => Promise<T>,
    statementMs?: number,
  ): Promise<T> {
    const limit: Limit = statementMs === undefined ? {} : { query_timeout: statementMs + BEYOND_MS };
    return this.onClient(async (client) => {
      const sent: Promise<unknown>[] = [];
      const track = <Answer>(answered: Promise<Answer>): Promise<Answer> => {
        // The promise is awaited at the end. Until then a rejection must not count as unhandled, which would end the process.
        answered.catch(() => undefined);
        sent.push(answered);
        return answered;
      };
      void track(begin(client, beginning, scope, limit));
      if (statementMs !== undefined) void track(rowsOf(client, SET_LIMITS, limitsOf(statementMs), limit));
      const send: Send = <Row extends object>(statement: Statement | string, values: unknown[] = []) =>
        track(inStatementSpan(this.traced, statement, () => rowsOf<Row>(client, statement, values, limit)));
      const result = await run(send).catch(async (error: unknown) => {
        await pipelined(sent);
        throw error;
      });
      void track(inStatementSpan(this.traced, COMMIT, () => client.query({ text: COMMIT, ...limit })));
      await pipelined(sent);
      return result;
    });
  }

  private async onClient<T>(run: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.client();
    let broken: Error | undefined;
    try {
      return await run(client);
    } catch (error) {
      if (isServerLost(error)) broken = error as Error;
      // A connection that cannot even roll back is dead, and the pool drops it.
      else await client.query('ROLLBACK').catch((reason: Error) => (broken = reason));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private async client(): Promise<PoolClient> {
    const { connectionPool: pool } = this;
    const connecting = pool.connect();
    // A request that finds an idle connection is also queued until the next tick, so compare with the idle count.
    if (pool.waitingCount <= pool.idleCount) return connecting;
    const startedAt = performance.now();
    return connecting.finally(() => recordPoolWait(this.options.name, performance.now() - startedAt));
  }

  private newPool(): pg.Pool {
    const { url, name, poolSize, logger, responseTimeoutMs = RESPONSE_TIMEOUT_MS } = this.options;
    const pool = new pg.Pool({
      ...serverAt(url, logger),
      application_name: name,
      max: poolSize,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      Client: PreparingClient,
      // Statements that do not wait for each other leave together; each still gets its own answer.
      pipeline: true,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
      // A server that vanished without a reset closes no connection: without this limit, statements would occupy theirs forever.
      query_timeout: responseTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    abandonLostServers(pool, responseTimeoutMs, logger);
    pool.on('error', (error) => logger.warn({ err: error, pool: name }, 'a database connection broke'));
    observePool(name, pool);
    return pool;
  }
}

/** Milliseconds to wait for an answer; those of the pool if absent. */
interface Limit {
  query_timeout?: number;
}

async function rowsOf<Row extends object>(
  client: PoolClient,
  statement: Statement | string,
  values: unknown[],
  limit: Limit = {},
): Promise<Row[]> {
  if (typeof statement === 'string')
    return (await client.query<Row>(limit.query_timeout ? { text: statement, ...limit } : statement, values)).rows;
  const { name, text, rows: expected } = statement;
  const { rows } = await client.query<Row>({ name, text, values, ...limit });
  if (expected !== undefined && rows.length !== expected) {
    throw new Error(`${name} returned ${rows.length} rows instead of ${expected}`);
  }
  return rows;
}

const SET_LOCALLY: Statement = { name: 'set-locally', text: 'SELECT set_config($1, $2, true)' };
const SET_LIMITS: Statement = {
  name: 'set-limits',
  text: `SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)`,
};
const limitsOf = (statementMs: number): string[] =>
  [statementMs, Math.min(Math.max(statementMs, IDLE_TIMEOUT_MS), MAX_IDLE_TIMEOUT_MS)].map(String);

// BEGIN and the scope leave together with the statements that follow, so that a scope costs no extra round trip.
async function begin(client: PoolClient, beginning: string, scope: Scope | null, limit: Limit = {}): Promise<void> {
  const started = client.query({ text: beginning, ...limit });
  const scoped = scope ? [rowsOf(client, SET_LOCALLY, [scope.setting, scope.value], limit)] : [];
  await pipelined([started, ...scoped]);
}
