import { mkdir, readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.js';

export const HOST = '127.0.0.1';

/** Whether nothing listens on this port of the loopback address. */
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
 * Reserves a free port for each name and stores the ports in the folder; the next start gets the same ones if they are still free. No other
 * process gets them while this one runs, even before anything listens on them. The port 10,000 above each, where a Redis Cluster node has
 * its bus, is free too. Ports in `except` are not given.
 */
export async function reservePorts<Name extends string>(
  dir: string,
  names: readonly Name[],
  except: readonly number[] = [],
): Promise<Record<Name, number>> {
  const file = join(dir, 'ports.json');
  const remembered = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, number>,
    () => ({}) as Record<string, number>,
  );
  // Another name's remembered port may be in a share that this process claims now.
  const isOfOther = (name: Name, port: number) =>
    Object.entries(remembered).some(([other, its]) => other !== name && its === port);
  for (const name of names) {
    let port = remembered[name] ?? (await nextPort());
    while (except.includes(port) || isOfOther(name, port) || !(await isUsable(port))) port = await nextPort();
    remembered[name] = port;
  }
  await mkdir(dir, { recursive: true });
  replaceFile(file, `${JSON.stringify(remembered, null, 2)}\n`);
  return Object.fromEntries(names.map((name) => [name, remembered[name]])) as Record<Name, number>;
}

const CLUSTER_BUS = 10_000;
const FIRST = 10_000;
/** Below 32,768, where the system assigns ports to outgoing connections: such a port could be taken while its owner restarts. */
const LAST = FIRST + CLUSTER_BUS;
const SHARE = 100;

/** First ports of the shares that this process owns. */
const shares = new Set<number>();
/** Unused ports of the last claimed share. */
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

/** Claims a share by listening on its first port, so that the system releases the share however the process ends. */
async function own(first: number): Promise<boolean> {
  if (shares.has(first)) return true;
  const server = await listen(first);
  if (!server) return false;
  server.unref();
  shares.add(first);
  return true;
}
