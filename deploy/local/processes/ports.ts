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
    !taken.has(port) && (await isFree(port)) && (alsoFree === 0 || (await isFree(port + alsoFree)));
  for (const name of names) {
    let port = remembered[name] ?? anyPort();
    while (!(await isUsable(port))) port = anyPort();
    taken.add((remembered[name] = port));
  }
  await mkdir(dir, { recursive: true });
  await replaceFile(file, `${JSON.stringify(remembered, null, 2)}\n`);
  return Object.fromEntries(names.map((name) => [name, remembered[name]])) as Record<Name, number>;
}

// Below the range that the system gives to outgoing connections, which would take the port while its owner restarts.
const anyPort = () => 20_000 + Math.floor(Math.random() * 12_000);
