import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { barriers } from './accessibility.js';
import { countBytes, measure, tell } from './measurements.js';
import { screenshot } from './screenshots.js';
import { type Theme, goTo, portalTests, portalUrl } from './visitors.js';

const ORDER = '/orders/PO-4500018208';
const BUDGET_BYTES = 235_000;
const MAX_SHIFT = 0.05;

/** Every page, and what is there when it is whole. */
const PAGES: readonly [name: string, path: string, whole: string][] = [
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
/** The user's own language decides. */
const USERS = { en: 'buyer', zh: 'vendor:ACME' } as const;
const CASES = (['en', 'zh'] as const).flatMap((language) =>
  (['light', 'dark'] as const).map((theme) => ({ language, theme })),
);
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const OPENED = '[role=menu], [role=dialog]';
/** Each language and each theme once: menus have the colours of pages. */
const MENUS_IN = ['en-light', 'zh-dark'];
/** What opens, and which button of the head does that, from its end; null = by a key. */
const MENUS = [
  ['user', -1],
  ['theme', -2],
  ['language', -3],
  ['bell', -4],
  ['search', null],
] as const;

const open = (page: Page, path: string) => (DOORS.includes(path) ? page.goto(portalUrl(path)) : goTo(page, path));
const settled = async (page: Page, whole: string) => {
  await page.locator(whole).first().waitFor();
  await page.waitForFunction(() => document.querySelector('[role=status][aria-busy]') === null);
};
const openMenu = async (page: Page, place: number | null) => {
  if (place === null) await page.keyboard.press('Control+k');
  else await page.locator('header').first().locator('button').nth(place).click();
  const opened = page.locator(OPENED).first();
  await opened.waitFor();
  await opened.locator('[role=status]').first().waitFor({ state: 'detached' });
  return opened;
};
/** How much wider the page is than its window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Looks at a page as it is now, on a desk and on a phone; says what is wrong. */
async function lookAt(page: Page, name: string, whole: string, suffix: string): Promise<string[]> {
  const found: string[] = [];
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    await settled(page, whole);
    await screenshot(page, `${name}-${suffix}-${size.width}`);
    const wider = await overflow(page);
    if (wider > 0) found.push(`${name} at ${size.width} px is ${wider} px too wide`);
  }
  return [...found, ...(await barriers(page)).map((barrier) => `${name}: ${barrier}`)];
}

/** Opens what the head of the page opens, one after another; says what is wrong with it. */
async function openMenus(page: Page, suffix: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, place] of MENUS) {
    const opened = await openMenu(page, place);
    await screenshot(page, `menu-${name}-${suffix}-1440`);
    found.push(...(await barriers(page, OPENED)).map((barrier) => `${name}: ${barrier}`));
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
  }
  return found;
}

describe('every page of the portal', () => {
  const { visitors } = portalTests();

  const lookAround = async ({ language, theme }: { language: 'en' | 'zh'; theme: Theme }) => {
    const visitor = await visitors.visit({ theme, language });
    visitor.expect(/status of 40[34]/);
    const suffix = `${language}-${theme}`;
    const page = await visitor.signIn(USERS[language]);
    const found: string[] = [];
    for (const [name, path, whole] of PAGES) {
      await open(page, path);
      found.push(...(await lookAt(page, name, whole, suffix)));
      if (name === 'order' && MENUS_IN.includes(suffix)) found.push(...(await openMenus(page, suffix)));
    }
    return found.map((problem) => `${suffix}: ${problem}`);
  };

  it('can be used by everybody and fits a desk and a phone, and so do its menus and its search', async () => {
    // Side by side: each waits most of the time.
    const found = await Promise.all(CASES.map(lookAround));
    expect(found.flat()).toEqual([]);
  }, 600_000);

  it('fits its window at 200 % zoom', async () => {
    const visitor = await visitors.visit({ width: 720, height: 450, scale: 2 });
    visitor.expect(/status of 404/);
    const page = await visitor.signIn('buyer');
    const wide: string[] = [];
    for (const [name, path, whole] of PAGES) {
      await open(page, path);
      await settled(page, whole);
      if ((await overflow(page)) > 0) wide.push(name);
      if (name === 'order') await screenshot(page, 'order-zoomed-200');
    }
    expect(wide).toEqual([]);
  });

  it('loads within its budget, and nothing moves while it does', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', '/import');
    const measured = await measure(page);
    // As somebody whom the provider knows, and who was never here.
    const { page: cold } = await visitors.visit({ like: visitor });
    const bytes = await countBytes(cold);
    const startedAt = performance.now();
    await cold.goto(portalUrl('/orders'));
    await cold.locator('tbody a').first().waitFor();
    tell(
      `the list can be used after ${Math.round(performance.now() - startedAt)} ms, ${bytes()} bytes of scripts and styles`,
    );
    expect(bytes()).toBeGreaterThan(50_000);
    expect(bytes()).toBeLessThanOrEqual(BUDGET_BYTES);
    for (const [name, path, whole] of PAGES.filter(([name]) => name !== 'order-unknown' && name !== 'not-found')) {
      await page.goto(portalUrl(path));
      await settled(page, whole);
      const { layoutShift, longTasks } = await measured();
      tell(`${name}: layout shift ${layoutShift.toFixed(3)}, tasks above 50 ms: ${longTasks.join(', ') || 'none'}`);
      expect(layoutShift).toBeLessThanOrEqual(MAX_SHIFT);
    }
    // A list that nobody else changes: what they did would be told meanwhile.
    await page.goto(portalUrl('/orders?search=PO-4500018208'));
    await settled(page, 'tbody a');
    for (const [name, place] of MENUS) {
      const before = (await measured()).anyShift;
      const opened = await openMenu(page, place);
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'hidden' });
      const shift = (await measured()).anyShift - before;
      tell(`${name}, opened and closed: layout shift ${shift.toFixed(3)}`);
      expect(shift).toBeLessThanOrEqual(MAX_SHIFT);
    }
  });
});
