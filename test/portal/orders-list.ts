import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Snapshot, World } from '../e2e/world.js';

/** Another vendor than the default of test orders. */
export const BOLT = { vendor: { code: 'BOLT', name: 'Bolt Garments S.A.' } };

/** Imports orders of one test. Their numbers share a unique prefix to search for. Newest last. */
export async function importOrders(
  world: World,
  count: number,
  changes: Partial<Snapshot> = {},
): Promise<{ search: string; numbers: string[] }> {
  const search = `LST-${randomUUID().slice(0, 8).toUpperCase()}`;
  const numbers = Array.from({ length: count }, (_, at) => `${search}-${String(at + 1).padStart(2, '0')}`);
  for (const poNumber of numbers) await world.importOrder({ ...changes, poNumber });
  return { search, numbers };
}

export const rowOf = (page: Page, poNumber: string) => page.locator(`[data-order="${poNumber}"]`);
export const listedOrders = (page: Page) =>
  page.locator('[data-order]').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.order));
export const cursorOf = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).dataset.order);
/** Number of selected rows, scroll position, and order of the row with the cursor. */
export const listStateOf = (page: Page) =>
  page.evaluate(() => [
    document.querySelectorAll('[data-picked]').length,
    document.querySelector('table')?.parentElement?.scrollTop,
    document.querySelector<HTMLElement>('[data-cursor]')?.dataset.order,
  ]);
