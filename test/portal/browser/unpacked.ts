import { join } from 'node:path';
import { DEFAULT_DIR } from '../../../deploy/local/config.js';
import { stepsBy } from '../../../deploy/local/progress.js';
import { installTools } from '#tools/install.js';
import type { Tool } from '#tools/tools.js';
import { exclusively } from './exclusively.js';

const TOOLS_DIR = join(DEFAULT_DIR, 'tools');
/** Written on standard error, as by what fetches Chromium. */
const step = stepsBy((line) => process.stderr.write(`${line}\n`));

/** A browser of Debian's packages, unpacked but not installed: the folder of its program. Rejects, saying what is missing, where it cannot be had. */
export async function unpackedBrowser(name: string, tools: Record<string, Tool>): Promise<string> {
  if (process.platform !== 'linux') throw new Error(`${name} is tested on Linux alone: its packages come from apt-get`);
  return exclusively(`po-${name}:${TOOLS_DIR}`, () => installTools(TOOLS_DIR, tools, step));
}
