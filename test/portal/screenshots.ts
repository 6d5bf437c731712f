import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { isFirefox } from './browser/firefox.js';

/** Screenshot of the visible page with finished animations. */
export const takeScreenshot = (page: Page): Promise<Buffer> => page.screenshot({ animations: 'disabled' });

/** Saves a screenshot as `<of>.png`, in Firefox as `firefox-<of>.png`, if SCREENSHOTS names a folder. */
export const screenshot = (page: Page, of: string): Promise<void> =>
  keepScreenshot(isFirefox(page.context()) ? `firefox-${of}` : of, () => takeScreenshot(page));

/** Takes and saves a screenshot if SCREENSHOTS names a folder; otherwise skips it, because it takes time. */
export async function keepScreenshot(name: string, take: () => Promise<Buffer>): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), await take());
}
