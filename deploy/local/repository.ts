import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Root folder of the repository, wherever this file was compiled to. */
export const REPOSITORY = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'tsconfig.base.json')) ? folder : rootAbove(dirname(folder));
}
