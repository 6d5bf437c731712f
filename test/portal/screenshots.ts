import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { note } from './measurements.js';

function folder(): string {
  const found = process.env.PORTAL_SCREENSHOTS;
  if (!found) throw new Error('run it by "npm run test:portal", which says where screenshots go');
  return found;
}

/** Keeps what is to be seen now as `<name>.png`, and returns that. */
export async function screenshot(page: Page, name: string): Promise<Buffer> {
  await mkdir(folder(), { recursive: true });
  const picture = await page.screenshot({ path: join(folder(), `${name}.png`), animations: 'disabled' });
  note({ kind: 'screenshot', name: `${name}.png` });
  return picture;
}
