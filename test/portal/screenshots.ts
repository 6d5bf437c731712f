import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { isFirefox } from './browser/firefox.js';

/** What is to be seen now, with whatever moves at its end. */
export const takeScreenshot = (page: Page): Promise<Buffer> => page.screenshot({ animations: 'disabled' });

/** Keeps what is to be seen now as `<of>.png`, in Firefox as `firefox-<of>.png`, if SCREENSHOTS names a folder. */
export const screenshot = (page: Page, of: string): Promise<void> =>
  keepScreenshot(isFirefox(page.context()) ? `firefox-${of}` : of, () => takeScreenshot(page));

/** Keeps a picture if SCREENSHOTS names a folder; else it is not taken, which takes time. */
export async function keepScreenshot(name: string, take: () => Promise<Buffer>): Promise<void> {
  const folder = process.env.PORTAL_SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), await take());
}
