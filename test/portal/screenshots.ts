import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** In SCREENSHOTS, else beside the logs of the run. */
function folder(): string {
  const found = process.env.SCREENSHOTS || process.env.PORTAL_SCREENSHOTS;
  if (!found) throw new Error('run it by "npm run test:portal", which says where screenshots go');
  return found;
}

/** Keeps what is to be seen now as `<name>.png`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await mkdir(folder(), { recursive: true });
  await page.screenshot({ path: join(folder(), `${name}.png`), animations: 'disabled' });
}
