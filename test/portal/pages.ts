import type { Page } from 'playwright-core';
import { goTo, portalUrl } from './visitors.js';

const ORDER = '/orders/PO-4500018208';

/** Every page, with a selector that matches once the page is complete. */
export const PAGES: readonly [name: string, path: string, whole: string][] = [
  ['orders', '/orders', '[data-order]'],
  ['orders-none', '/orders?search=nothing-fits', 'h2'],
  ['order', ORDER, 'tfoot, main footer'],
  ['order-unknown', '/orders/PO-NONE', '[role=alert]'],
  ['dashboard', '/dashboard', 'main [data-week]'],
  ['import', '/import', 'main h2'],
  ['preferences', '/preferences', 'main form'],
  // A vendor has no access to this page.
  ['approval-policies', '/approval-policies', 'main h2'],
  ['not-found', '/nowhere', 'h1'],
  ['signed-out', '/signed-out', 'h1'],
];
/** Addresses that are opened directly: one does not exist, the other has no user. */
const LOADED_DIRECTLY = ['/nowhere', '/signed-out'];
export const OPENED = '[role=menu], [role=dialog]';
/** Menus with the index of their button in the page header, counted from the end; null if a key opens them. */
export const MENUS = [
  ['user', -1],
  ['theme', -2],
  ['language', -3],
  ['bell', -4],
  ['search', null],
] as const;

export const open = (page: Page, path: string) =>
  LOADED_DIRECTLY.includes(path) ? page.goto(portalUrl(path)) : goTo(page, path);
export const waitUntilLoaded = async (page: Page, whole: string) => {
  await page.locator(whole).first().waitFor();
  await page.waitForFunction(() => document.querySelector('[role=status][aria-busy]') === null);
};
export const openMenu = async (page: Page, place: number | null) => {
  if (place === null) await page.keyboard.press('Control+k');
  else await page.locator('header').first().locator('button').nth(place).click();
  const opened = page.locator(OPENED).first();
  await opened.waitFor();
  await opened.locator('[role=status][aria-busy]').first().waitFor({ state: 'detached' });
  return opened;
};
