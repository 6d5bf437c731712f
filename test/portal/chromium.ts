import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the Chromium that is installed in one of these folders. Throws, saying how to get one, where there is none. */
export function findChromium(folders: readonly string[]): string {
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
  if (found === undefined)
    throw new Error(
      `there is no Chromium to test the portal in: apt-get install chromium (looked for ${NAMES.join(', ')} in ${folders.join(', ')})`,
    );
  return found;
}

/** The installed Chromium, headless. Throws, saying how to get one, where there is none. */
export async function openChromium(): Promise<Browser> {
  const executablePath = findChromium(['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]);
  // Its sandbox does not work for root.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
