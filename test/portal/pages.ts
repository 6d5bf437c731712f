import type { Page } from 'playwright-core';
import { goTo, portalUrl } from './visitors.js';

const ORDER = '/orders/PO-4500018208';

/** Every page, and what is there when it is whole. */
export const PAGES: readonly [name: string, path: string, whole: string][] = [
  ['orders', '/orders', '[data-order]'],
  ['orders-none', '/orders?search=nothing-fits', 'h2'],
  ['order', ORDER, 'tfoot, main footer'],
  ['order-unknown', '/orders/PO-NONE', '[role=alert]'],
  ['dashboard', '/dashboard', 'main svg[role=application]'],
  ['import', '/import', 'main h2'],
  ['preferences', '/preferences', 'main form'],
  // A vendor has no access to it.
  ['approval-policies', '/approval-policies', 'main h2'],
  ['not-found', '/nowhere', 'h1'],
  ['signed-out', '/signed-out', 'h1'],
];
/** Addresses that are not gone to from another page: one is none, one is nobody's. */
const DOORS = ['/nowhere', '/signed-out'];
export const OPENED = '[role=menu], [role=dialog]';
/** What opens, and which button of the head does that, from its end; null = by a key. */
export const MENUS = [
  ['user', -1],
  ['theme', -2],
  ['language', -3],
  ['bell', -4],
  ['search', null],
] as const;

export const open = (page: Page, path: string) =>
  DOORS.includes(path) ? page.goto(portalUrl(path)) : goTo(page, path);
export const settled = async (page: Page, whole: string) => {
  await page.locator(whole).first().waitFor();
  await page.waitForFunction(() => document.querySelector('[role=status][aria-busy]') === null);
};
export const openMenu = async (page: Page, place: number | null) => {
  if (place === null) await page.keyboard.press('Control+k');
  else await page.locator('header').first().locator('button').nth(place).click();
  const opened = page.locator(OPENED).first();
  await opened.waitFor();
  await opened.locator('[role=status]').first().waitFor({ state: 'detached' });
  return opened;
};
