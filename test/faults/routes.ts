import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { type FaultStack, controlFolder } from './stack.js';

const fileOf = (stack: Pick<FaultStack, 'dir'>): string => join(controlFolder(stack), 'routes.json');

/** Routes new connections of the services to these targets through one proxy per target. */
export async function proxiesTo(stack: Pick<FaultStack, 'dir'>, targets: readonly URL[]): Promise<TcpProxy[]> {
  const proxies = await Promise.all(targets.map((target) => TcpProxy.to(target)));
  const routes = Object.fromEntries(targets.map(({ port }, index) => [port, proxies[index]?.port]));
  const file = fileOf(stack);
  await writeFile(`${file}.new`, JSON.stringify(routes));
  // Replaced atomically, because services read the file whenever they connect.
  await rename(`${file}.new`, file);
  return proxies;
}

/** Routes new connections of the services directly to their targets. */
export const withoutProxies = (stack: Pick<FaultStack, 'dir'>): Promise<void> => rm(fileOf(stack), { force: true });
