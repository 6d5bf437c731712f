import { copyFile, readdir, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const ENDING = '.log';
/** Suffix of the older part of a truncated file. */
const OLDER = '.1';
const MAX_BYTES = 20 * 1024 * 1024;

/** The folder of all logs of a stack. */
export const logsIn = (dir: string): string => join(dir, 'logs');

/** The log of one replica, counted from 0: `gateway.log`, `gateway-2.log`, … */
export const logFile = (folder: string, service: string, replica: number): string =>
  join(folder, `${service}${replica === 0 ? '' : `-${replica + 1}`}${ENDING}`);

export const olderPartOf = (file: string): string => `${file}${OLDER}`;

/** The names of the logs in a folder, without their ending, sorted; none where there is no folder. */
export async function sourcesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => (name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : [])).toSorted();
}

/** Sets the logs of an earlier run aside, so that each begins with this one. Nobody may be writing to them. */
export async function setLogsAside(folder: string): Promise<void> {
  for (const source of await sourcesIn(folder)) {
    const file = logFile(folder, source, 0);
    await rename(file, olderPartOf(file));
  }
}

/** Truncates every log that is larger than `maxBytes`; one older part of each is kept. */
export async function boundLogs(folder: string, maxBytes = MAX_BYTES): Promise<void> {
  for (const source of await sourcesIn(folder)) {
    const file = logFile(folder, source, 0);
    if ((await stat(file)).size <= maxBytes) continue;
    // Copied and emptied, not renamed: the process that writes has the file open, and would go on writing to the renamed one. What it
    // writes between the two is lost.
    await copyFile(file, olderPartOf(file));
    await truncate(file);
  }
}
