import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { proxiedDatabase } from './fixtures/proxied-database.js';
import type { TcpProxy } from '@po/testing/tcp-proxy';
import type { Database } from './database.js';

let proxy: TcpProxy;
let database: Database;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ database, proxy, close } = await proxiedDatabase({ name: 'vanished', poolSize: 2, answerWithinMs: 3_000 }));
});
afterEach(async () => {
  proxy.pass();
  await close();
});

const ONE = 'SELECT 1 AS one';

it.each<[string, () => Promise<unknown>]>([
  ['a read', () => database.read(null, ONE)],
  ['a transaction', () => database.transaction(null, (send) => send(ONE))],
  ['a statement on the pool', () => database.connectionPool.query(ONE)],
])('gives up %s when the server vanished without a reset', async (_what, work) => {
  await database.transaction(null, (send) => send(ONE));
  proxy.hang();
  await expect(work()).rejects.toThrow(/timeout|terminated/i);
  proxy.pass();
  await eventually('the next one has a new connection', async () => (await database.read(null, ONE)).length === 1);
});
