import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { DEFAULT_DIR } from '../../../deploy/local/config.js';
import { searchPath } from './config.js';
import { findInstalled, installedPlaces } from './installed.js';
import { npmBrowser } from './npm-browser.js';
import { playwrightBrowser } from './playwright-browser.js';
import { type BrowserSource, type ChromiumChoice, browserSources } from './sources.js';

const CACHE = join(DEFAULT_DIR, 'browser', 'playwright');

/** Opens a headless Chromium from the first source that works. If none works, throws all failures and how to install one. */
export async function openChromium(choice: ChromiumChoice | null): Promise<Browser> {
  const { platform, arch } = process;
  const installed = findInstalled(installedPlaces(platform, searchPath()));
  const open = async (source: BrowserSource): Promise<Browser> => {
    if (source === 'npm') return chromium.launch(await npmBrowser());
    if (source === 'playwright') return chromium.launch(await playwrightBrowser(CACHE));
    return chromium.launch({ executablePath: installed ?? undefined });
  };
  const tried = installed === null ? ['installed: none'] : [];
  for (const source of browserSources({ platform, arch, installed }, choice)) {
    try {
      return await open(source);
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
