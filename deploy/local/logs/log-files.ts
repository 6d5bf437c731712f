import { copyFile, readdir, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const ENDING = '.log';
/** Suffix of the older part of a truncated file. */
const OLDER = '.1';
const MAX_BYTES = 20 * 1024 * 1024;

/** Folder of all logs of a stack. */
export const logsIn = (dir: string): string => join(dir, 'logs');

/** Path of a replica's log, with replicas counted from 0: `gateway.log`, `gateway-2.log`, … */
export const logFile = (folder: string, service: string, replica: number): string =>
  join(folder, `${service}${replica === 0 ? '' : `-${replica + 1}`}${ENDING}`);

export const olderPartOf = (file: string): string => `${file}${OLDER}`;

/** Names of the logs in a folder, sorted and without the file extension; empty if the folder does not exist. */
export async function sourcesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => (name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : [])).toSorted();
}

/** Renames the logs of an earlier run, so that new logs start empty. No process may be writing to them. */
export async function archiveLogs(folder: string): Promise<void> {
  for (const source of await sourcesIn(folder)) {
    const file = logFile(folder, source, 0);
    await rename(file, olderPartOf(file));
  }
}

/** Truncates every log that is larger than `maxBytes`, and keeps one older part of each. */
export async function truncateLargeLogs(folder: string, maxBytes = MAX_BYTES): Promise<void> {
  for (const source of await sourcesIn(folder)) {
    const file = logFile(folder, source, 0);
    if ((await stat(file)).size <= maxBytes) continue;
    // Copied and truncated instead of renamed, because the writing process has the file open and would keep writing to the renamed one.
    // Lines written between copy and truncation are lost.
    await copyFile(file, olderPartOf(file));
    await truncate(file);
  }
}
