import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FOLDERS = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The installed Chromium, headless. Throws, saying how to get one, where there is none. */
export async function openChromium(): Promise<Browser> {
  const executablePath = FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
  if (executablePath === undefined)
    throw new Error('there is no Chromium to test the portal in: apt-get install chromium');
  // Its sandbox does not work for root.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
