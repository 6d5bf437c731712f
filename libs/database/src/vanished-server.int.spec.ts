import { createLogger } from '@po/platform';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { databaseUrl } from '../../../test/support/stores.js';
import { TcpProxy } from '../../../test/support/tcp-proxy.js';
import { Database } from './database.js';

let proxy: TcpProxy;
let database: Database;
beforeEach(async () => {
  proxy = await TcpProxy.to(new URL(databaseUrl()));
  const url = new URL(databaseUrl());
  url.port = String(proxy.port);
  const logger = createLogger('test', 'silent');
  database = new Database({ url: url.href, name: 'vanished', poolSize: 2, logger, answerWithinMs: 200 });
  await database.connect();
});
afterEach(async () => {
  proxy.pass();
  await database.close();
  await proxy.close();
});

const ONE = 'SELECT 1 AS one';

it.each<[string, () => Promise<unknown>]>([
  ['a read', () => database.read(null, ONE)],
  ['a transaction', () => database.transaction(null, (send) => send(ONE))],
  ['a statement on the pool', () => database.connectionPool.query(ONE)],
])('gives up %s that a server which vanished without a reset never answers', async (_what, work) => {
  await database.transaction(null, (send) => send(ONE));
  proxy.hang();
  await expect(work()).rejects.toThrow(/timeout|terminated/i);
  proxy.pass();
  await eventually('the next one has a new connection', async () => (await database.read(null, ONE)).length === 1);
});
