import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityViolations, overflow } from '../accessibility.js';
import { browserChoice } from '../browser/config.js';
import { MENUS, OPENED, PAGES, open, openMenu, waitUntilLoaded } from '../pages.js';
import { screenshot } from '../screenshots.js';
import { portalTests } from '../visitors.js';

/** Each language and each theme once, and another combination in Firefox. The language of the user decides, not that of the browser. */
const CASES = (
  [
    { language: 'en', theme: 'light', user: 'buyer', firefox: false },
    { language: 'zh', theme: 'dark', user: 'vendor:ACME', firefox: false },
    { language: 'en', theme: 'dark', user: 'buyer', firefox: true },
  ] as const
).filter(({ firefox }) => (browserChoice() === 'firefox') === firefox);
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Checks the current page at desktop and phone size. Returns the problems. */
async function lookAt(page: Page, name: string, whole: string, suffix: string): Promise<string[]> {
  const found: string[] = [];
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    await waitUntilLoaded(page, whole);
    await screenshot(page, `${name}-${suffix}-${size.width}`);
    const wider = await overflow(page);
    if (wider > 0) found.push(`${name} at ${size.width} px is ${wider} px too wide`);
  }
  return [...found, ...(await accessibilityViolations(page)).map((barrier) => `${name}: ${barrier}`)];
}

/** Checks all menus of the page header, one after another. Returns the problems. */
async function openMenus(page: Page, suffix: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, place] of MENUS) {
    const opened = await openMenu(page, place);
    await screenshot(page, `menu-${name}-${suffix}-1440`);
    found.push(...(await accessibilityViolations(page, OPENED)).map((barrier) => `${name}: ${barrier}`));
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
  }
  return found;
}

describe('every page of the portal', () => {
  const { visitors } = portalTests();

  const lookAround = async ({ language, theme, user }: (typeof CASES)[number]) => {
    const visitor = await visitors.visit({ theme, language });
    visitor.expect(/status of 40[34]/);
    const suffix = `${language}-${theme}`;
    const page = await visitor.signIn(user);
    const found: string[] = [];
    for (const [name, path, whole] of PAGES) {
      await open(page, path);
      found.push(...(await lookAt(page, name, whole, suffix)));
      if (name === 'order') found.push(...(await openMenus(page, suffix)));
    }
    return found.map((problem) => `${suffix}: ${problem}`);
  };

  it('has no accessibility violations and fits a desktop and a phone, with its menus and its search', async () => {
    // Concurrently, because each case waits most of the time.
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
      await waitUntilLoaded(page, whole);
      if ((await overflow(page)) > 0) wide.push(name);
      if (name === 'order') await screenshot(page, 'order-zoomed-200');
    }
    expect(wide).toEqual([]);
  });
});
