import { constants } from 'node:fs';
import { chown, cp, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What decides whether a prepared stack is the one that is asked for. */
export interface Contents {
  orders: number;
  cells: number;
  vendors: number;
  seed: number;
  /** Beside the others. */
  largeOrders: number;
  /** Applied to both databases, by name. */
  migrations: readonly string[];
}

const MANIFEST = 'prepared.json';
/** Of a stack's folder: PostgreSQL's and Kafka's data, the programs of the stores, and the keys. Redis holds what is derived. */
const KEPT = ['data/postgres', 'data/kafka', 'stores', 'keys.json'];

/** Rejects unless the folder is empty or is still to be made. */
export async function requireNothingIn(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(() => []);
  if (entries.length > 0) throw new Error(`${folder} is not empty: --keep takes a folder that is still to be made`);
}

/** Rejects, saying what differs, unless the folder holds a stack of these contents. */
export async function requirePrepared(folder: string, wanted: Contents): Promise<void> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new Error(`${folder} holds no prepared stack: make one by --keep`);
  const { migrations, ...sizes } = JSON.parse(text) as Contents;
  const differences = Object.entries(sizes).flatMap(([name, value]) => {
    const other = wanted[name as keyof typeof sizes];
    return value === other ? [] : [`${name} ${value} instead of ${other}`];
  });
  const more = migrations.filter((name) => !wanted.migrations.includes(name));
  const missing = wanted.migrations.filter((name) => !migrations.includes(name));
  if (more.length > 0) differences.push(`migrations that are not of this checkout: ${more.join(', ')}`);
  if (missing.length > 0) differences.push(`not these migrations: ${missing.join(', ')}`);
  if (differences.length > 0) throw new Error(`the stack in ${folder} has ${differences.join('; ')}`);
}

/** Copies what is kept of a stopped stack's folder; the manifest last, so that half a copy is no prepared stack. */
export async function keepStack(stack: string, folder: string, contents: Contents): Promise<void> {
  if (!(await stat(join(stack, 'data/postgres')).catch(() => null))) {
    throw new Error(
      'the data of this stack lies in containers: --keep needs the embedded stores, by PO_INFRA=embedded',
    );
  }
  await copyStack(stack, folder);
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(contents, null, 2)}\n`);
}

/** Copies a kept stack into the folder of one that is to be started, sharing blocks where the file system can. */
export async function copyStack(from: string, to: string): Promise<void> {
  await mkdir(join(to, 'data'), { recursive: true });
  for (const part of KEPT) {
    await cp(join(from, part), join(to, part), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  await giveAlike(join(from, 'data/postgres'), join(to, 'data/postgres'));
}

// What root copies is root's, which PostgreSQL refuses: it runs as another user then.
async function giveAlike(from: string, to: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(from);
  for (const path of ['', ...(await readdir(to, { recursive: true }))]) await chown(join(to, path), uid, gid);
}
