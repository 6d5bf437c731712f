import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { isFirefox } from './browser/firefox.js';
import { note } from './measurements.js';

function folder(): string {
  const found = process.env.PORTAL_SCREENSHOTS;
  if (!found) throw new Error('run it by "npm run test:portal", which says where screenshots go');
  return found;
}

/** Keeps what is to be seen now as `<of>.png`, in Firefox as `firefox-<of>.png`, and returns that. */
export async function screenshot(page: Page, of: string): Promise<Buffer> {
  const name = isFirefox(page.context()) ? `firefox-${of}` : of;
  const picture = await page.screenshot({ animations: 'disabled' });
  await keepScreenshot(name, picture);
  return picture;
}

/** Keeps a picture that was taken. */
export async function keepScreenshot(name: string, picture: Buffer): Promise<void> {
  await mkdir(folder(), { recursive: true });
  await writeFile(join(folder(), `${name}.png`), picture);
  note({ kind: 'screenshot', name: `${name}.png` });
}
