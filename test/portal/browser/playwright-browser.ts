import { createRequire } from 'node:module';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';
import { childEnvironment } from '../../../deploy/local/config.js';
import { run } from '../../../deploy/local/processes/run.js';

const CLI = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
const PROGRAM = /(^|[\\/])(chrome-headless-shell|headless_shell)(\.exe)?$/;

/** The headless shell for this version of Playwright, which downloads it into this folder if it is missing. */
export async function playwrightBrowser(folder: string): Promise<LaunchOptions> {
  await run(process.execPath, [CLI, 'install', 'chromium-headless-shell'], {
    env: childEnvironment({ PLAYWRIGHT_BROWSERS_PATH: folder }),
  });
  const program = (await readdir(folder, { recursive: true })).find((path) => PROGRAM.test(path));
  if (program === undefined) throw new Error(`Playwright installed no headless shell in ${folder}`);
  return { executablePath: join(folder, program) };
}
