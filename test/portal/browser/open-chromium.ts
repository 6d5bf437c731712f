import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { DEFAULT_DIR } from '../../../deploy/local/config.js';
import type { ChromiumChoice } from './config.js';
import { npmBrowser } from './npm-browser.js';
import { playwrightBrowser } from './playwright-browser.js';

const CACHE = join(DEFAULT_DIR, 'browser', 'playwright');
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Possible paths of an installed Chromium, the preferred one first. */
const PLACES = [
  ...['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)].flatMap((folder) =>
    PROGRAMS.map((program) => join(folder, program)),
  ),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** Opens a headless Chromium from the first source that works. If none works, throws all failures and how to install one. */
export async function openChromium(choice: ChromiumChoice | null): Promise<Browser> {
  const executablePath = PLACES.find((path) => existsSync(path));
  // The npm package has a program for this platform only.
  const isInNpm = process.platform === 'linux' && process.arch === 'x64';
  const sources = [
    { source: 'installed', isUsed: executablePath && choice !== 'fetched', find: () => ({ executablePath }) },
    { source: 'npm', isUsed: isInNpm && choice !== 'installed', find: npmBrowser },
    { source: 'playwright', isUsed: choice !== 'installed', find: () => playwrightBrowser(CACHE) },
  ];
  const tried = executablePath ? [] : ['installed: none'];
  for (const { source, find } of sources.filter(({ isUsed }) => isUsed)) {
    try {
      return await chromium.launch(await find());
    } catch (error) {
      tried.push(`${source}: ${summaryOf((error as Error).message)}`);
      process.stderr.write(`a browser does not start: ${tried.at(-1)}\n`);
    }
  }
  throw new Error(
    `there is no Chromium to test the portal in: apt-get install chromium. Tried:\n  ${tried.join('\n  ')}`,
  );
}

/** The first line and up to three lines with an error, because npm and browsers print pages of text. */
function summaryOf(message: string): string {
  const [first = '', ...rest] = stripVTControlCharacters(message).split('\n');
  const errors = rest.filter((line) => /\berr(or)?\b/i.test(line)).map((line) => line.replace(/^[\s-]+/, ''));
  return [first, ...[...new Set(errors)].slice(0, 3)].join('; ');
}
