import { join } from 'node:path';
import { DEFAULT_DIR } from '../../../deploy/local/config.js';
import { stepReporter } from '../../../deploy/local/progress.js';
import { installTools } from '#local/tools/install.js';
import type { Tool } from '#local/tools/tools.js';
import { withLock } from './with-lock.js';

const TOOLS_DIR = join(DEFAULT_DIR, 'tools');
/** Prints progress to standard error, like the download of Chromium. */
const step = stepReporter((line) => process.stderr.write(`${line}\n`));

/** Unpacks a browser from Debian packages without installing it. Returns its program folder; rejects with what is missing. */
export async function unpackedBrowser(name: string, tools: Record<string, Tool>): Promise<string> {
  if (process.platform !== 'linux')
    throw new Error(`${name} is tested only on Linux, because its packages come from apt-get`);
  return withLock(`po-${name}:${TOOLS_DIR}`, () => installTools(TOOLS_DIR, tools, step));
}
