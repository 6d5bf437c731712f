import { Database } from '@po/database';
import { createLogger } from '@po/platform';
import { databaseUrl } from './stores.js';
import { TcpProxy } from './tcp-proxy.js';

/** A database that is connected through a proxy, which can hang or lead elsewhere; `close` closes both. */
export async function proxiedDatabase(
  options: Pick<ConstructorParameters<typeof Database>[0], 'name' | 'poolSize' | 'answerWithinMs'>,
): Promise<{ database: Database; proxy: TcpProxy; close: () => Promise<void> }> {
  const proxy = await TcpProxy.to(new URL(databaseUrl()));
  const url = new URL(databaseUrl());
  url.port = String(proxy.port);
  const database = new Database({ ...options, url: url.href, logger: createLogger('test', 'silent') });
  await database.connect();
  const close = async () => {
    await database.close();
    await proxy.close();
  };
  return { database, proxy, close };
}
