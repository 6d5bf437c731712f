import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { proxiedDatabase } from './fixtures/proxied-database.js';
import { databaseUrl } from '@po/testing/stores';
import type { TcpProxy } from '@po/testing/tcp-proxy';
import type { Database } from './database.js';

const CONNECTIONS = 6;
const PID = 'SELECT pg_backend_pid() AS pid';

describe('a pool whose server is replaced', () => {
  let proxy: TcpProxy;
  let database: Database;
  let close: () => Promise<void>;
  let table: string;
  beforeEach(async () => {
    table = `moved_${randomUUID().replaceAll('-', '')}`;
    ({ database, proxy, close } = await proxiedDatabase({
      name: 'moved',
      poolSize: CONNECTIONS,
      responseTimeoutMs: 3_000,
    }));
    await database.connectionPool.query(`CREATE TABLE ${table} (n integer)`);
  });
  afterEach(async () => {
    proxy.restore();
    await database.connectionPool.query(`DROP TABLE ${table}`);
    await close();
  });

  /** Runs the statement on all connections at the same time, so that all are open and afterwards idle. */
  const onEvery = async (statement: string) => {
    const all = Promise.withResolvers<void>();
    let started = 0;
    const works = Array.from({ length: CONNECTIONS }, () =>
      database.transaction(null, async (send) => {
        await send(statement);
        started += 1;
        if (started === CONNECTIONS) all.resolve();
        await all.promise;
      }),
    );
    await Promise.all(works);
    expect(database.connectionPool.idleCount).toBe(CONNECTIONS);
  };
  const failuresOf = async (works: (() => Promise<unknown>)[]) => {
    const failures: unknown[] = [];
    for (const work of works) await work().catch((error: unknown) => failures.push(error));
    return failures;
  };
  const write = () => database.transaction(null, (send) => send(`INSERT INTO ${table} VALUES (1)`));
  const read = () => database.read(null, PID);
  const onThePool = () => database.connectionPool.query(PID);

  it.each([
    ['a read', read],
    ['a transaction', write],
    ['a statement on the pool', onThePool],
  ])('fails only one statement after the old server vanished, not one per connection: %s', async (_what, first) => {
    await onEvery(PID);
    proxy.moveTo(new URL(databaseUrl()));
    const failures = await failuresOf([first, write, read, onThePool, write, read, onThePool]);
    expect(failures).toMatchObject([{ message: 'Query read timeout' }]);
  });

  it('gives up a new connection without an answer, and connects again once the server is back', async () => {
    await onEvery(PID);
    proxy.hang();
    expect(await failuresOf([read, write])).toMatchObject([
      { message: 'Query read timeout' },
      { message: expect.stringContaining('timeout') },
    ]);
    proxy.restore();
    expect(await failuresOf([read, write])).toEqual([]);
  });

  /** Starts a transaction whose statement takes longer than the answer limit. Resolves once it was sent. */
  const startStuck = async () => {
    const sent = Promise.withResolvers<void>();
    const ended = database.transaction(null, (send) => {
      sent.resolve();
      return send('SELECT pg_sleep(4)');
    });
    ended.catch(() => undefined);
    await sent.promise;
    return { ended };
  };
  const pidOf = async () => (await database.read<{ pid: number }>(null, PID))[0]?.pid;

  it('closes connections whose last answer came soon after the unanswered statement was sent', async () => {
    await onEvery(PID);
    const { ended: stuck } = await startStuck();
    await Promise.all(Array.from({ length: CONNECTIONS - 1 }, onThePool));
    proxy.moveTo(new URL(databaseUrl()));
    await expect(stuck).rejects.toThrow('Query read timeout');
    expect(await failuresOf([read, onThePool, read])).toEqual([]);
  });

  it('keeps a connection that answered while another connection got no answer', async () => {
    await onEvery(PID);
    const { ended: stuck } = await startStuck();
    let ended = false;
    void stuck.catch(() => (ended = true));
    const before = await pidOf();
    while (!ended) expect(await pidOf()).toBe(before);
    await eventually('the other connections are closed', () => database.connectionPool.totalCount === 1);
    expect(await pidOf()).toBe(before);
  });

  it('closes all connections to a server that became read-only as soon as one statement fails', async () => {
    await onEvery('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY');
    const busy = Promise.withResolvers<void>();
    const reading = database.transaction(null, async (send) => {
      await send(PID);
      await busy.promise;
    });
    const [failure, ...more] = await failuresOf([write, write, read]);
    expect([failure, more]).toMatchObject([{ code: '25006' }, []]);
    busy.resolve();
    await reading;
    expect(await failuresOf(Array.from({ length: 3 }, () => write))).toEqual([]);
    const connections = database.connectionPool;
    await eventually(
      'only the new connection is left',
      () => [connections.totalCount, connections.idleCount].join() === '1,1',
    );
  });
});
