import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.js';

export const HOST = '127.0.0.1';

/** True when nothing listens on this port of the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

/**
 * Free ports, one per name, remembered in the folder: the next start gets the same ones as long as they are free. `alsoFree`: so many above
 * each, another port is free too.
 */
export async function takePorts<Name extends string>(
  dir: string,
  names: readonly Name[],
  alsoFree = 0,
): Promise<Record<Name, number>> {
  const file = join(dir, 'ports.json');
  const remembered = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, number>,
    () => ({}) as Record<string, number>,
  );
  const taken = new Set<number>();
  const isUsable = async (port: number) =>
    !taken.has(port) &&
    (folderOf.get(port) ?? dir) === dir &&
    (await isFree(port)) &&
    (alsoFree === 0 || (await isFree(port + alsoFree)));
  for (const name of names) {
    let port = remembered[name] ?? anyPort(alsoFree);
    while (!(await isUsable(port))) port = anyPort(alsoFree);
    taken.add((remembered[name] = port));
    folderOf.set(port, dir);
  }
  await mkdir(dir, { recursive: true });
  await replaceFile(file, `${JSON.stringify(remembered, null, 2)}\n`);
  return Object.fromEntries(names.map((name) => [name, remembered[name]])) as Record<Name, number>;
}

/** Whose ports this process has taken: many are not listened to before the stores run. */
const folderOf = new Map<number, string>();

const FIRST = 20_000;
/** Above it are the ports that the system gives to outgoing connections: one would be taken while its owner restarts. */
const LAST = 32_000;
/** Each process draws from so many of its own, as others may not listen to theirs yet. */
const SHARE = 200;

function anyPort(alsoFree: number): number {
  const [first, count] =
    alsoFree === 0
      ? [FIRST + SHARE * (process.pid % Math.floor((LAST - FIRST) / SHARE)), SHARE]
      : [FIRST, LAST - alsoFree - FIRST];
  return first + Math.floor(Math.random() * count);
}
