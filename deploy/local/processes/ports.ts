import { mkdir, readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.js';

export const HOST = '127.0.0.1';

/** True when nothing listens on this port of the loopback address. */
export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server) await new Promise((resolve) => void server.close(resolve));
  return server !== null;
}

function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, HOST, () => resolve(server));
  });
}

/**
 * Free ports, one per name, remembered in the folder: the next start gets the same ones as long as they are free. No other process gets
 * them while this one runs, though many are not listened to before the stores run. 10,000 above each, where the bus of a Redis Cluster's
 * node listens, another port is free too.
 */
export async function takePorts<Name extends string>(
  dir: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const file = join(dir, 'ports.json');
  const remembered = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, number>,
    () => ({}) as Record<string, number>,
  );
  for (const name of names) {
    let port = remembered[name] ?? (await nextPort());
    while (!(await isUsable(port))) port = await nextPort();
    remembered[name] = port;
  }
  await mkdir(dir, { recursive: true });
  replaceFile(file, `${JSON.stringify(remembered, null, 2)}\n`);
  return Object.fromEntries(names.map((name) => [name, remembered[name]])) as Record<Name, number>;
}

const CLUSTER_BUS = 10_000;
const FIRST = 10_000;
/** From 32,768 on, the system gives ports to outgoing connections: one would be taken while its owner restarts. */
const LAST = FIRST + CLUSTER_BUS;
const SHARE = 100;

/** The first ports of the shares of this process. */
const shares = new Set<number>();
/** What is left of the last share that was drawn from. */
const left: number[] = [];

const isUsable = async (port: number): Promise<boolean> =>
  (await own(port - (port % SHARE))) && (await isFree(port)) && (await isFree(port + CLUSTER_BUS));

async function nextPort(): Promise<number> {
  if (left.length === 0) left.push(...(await claimShare()));
  return left.pop() as number;
}

async function claimShare(): Promise<number[]> {
  const count = (LAST - FIRST) / SHARE;
  const any = Math.floor(Math.random() * count);
  for (let tried = 0; tried < count; tried += 1) {
    const first = FIRST + SHARE * ((any + tried) % count);
    if (!shares.has(first) && (await own(first))) {
      return Array.from({ length: SHARE - 1 }, (_, index) => first + SHARE - 1 - index);
    }
  }
  throw new Error(`other processes have taken all ports from ${FIRST} to ${LAST}`);
}

/** A process owns a share as long as it listens to its first port, so the system frees it with the process, however that ends. */
async function own(first: number): Promise<boolean> {
  if (shares.has(first)) return true;
  const server = await listen(first);
  if (!server) return false;
  server.unref();
  shares.add(first);
  return true;
}
