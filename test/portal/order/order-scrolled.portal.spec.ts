import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '@po/testing/eventually';
import { accessibilityViolations, isFocusVisible } from '../accessibility.js';
import { head } from '../journey.js';
import { Keyboard } from '../keyboard.js';
import { cellOf } from '../matrix.js';
import { measure } from '../measurements.js';
import { BOLT } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { portalTests } from '../visitors.js';

const COLORS = ['NVY', 'RED', 'BLK', 'WHT', 'GRN'];
const LINES = Array.from({ length: 60 }, (_, at) => {
  const [style, color] = [`A${Math.floor(at / COLORS.length)}`, COLORS[at % COLORS.length] ?? ''];
  return { lineId: `${at}`, code: `${style}-${color}`, style, color, size: 'M', sku: '', qty: 10, unitPrice: 12.5 };
});
const ORDER = { ...BOLT, lines: LINES };

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error('the element is not visible');
  return { top: box.y, bottom: box.y + box.height };
};
/** Bottom edge of the page header. */
const aboveOf = async (page: Page) => (await boxOf(page.locator('header').first())).bottom;
const scrollDown = async (page: Page, top: number) => {
  await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top);
  await eventually('the page is scrolled', async () => (await page.evaluate(() => scrollY)) === top);
};

describe('a scrolled order', () => {
  const { visitors, world } = portalTests();

  it('keeps its number, status and actions visible, with the matrix labels right below', async () => {
    const { poNumber } = await world.importOrder(ORDER);
    const visitor = await visitors.visit({ height: 700 });
    const measured = await measure(visitor.page);
    const user = await Keyboard.signIn(visitor, 'vendor:BOLT', `/orders/${poNumber}`);
    const { page } = user;
    await cellOf(page, 0, 0).waitFor();
    const labels = page.locator('[role=grid] thead th').first();
    const { anyShift: before } = await measured();
    await scrollDown(page, 300);
    const above = await aboveOf(page);
    const { top, bottom } = await boxOf(head(page));
    expect([top, bottom]).toEqual([above, above + 49]);
    await eventually('the labels are below it', async () => (await boxOf(labels)).top === bottom);
    await screenshot(page, 'order-scrolled-en-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
    // From a row in the middle to the first row: it must not stay behind the header or the labels.
    await page.locator('[role=grid] td[data-row="4"]').first().click();
    await user.press('Control+Home');
    await cellOf(page, 0, 0).and(page.locator(':focus')).waitFor();
    expect((await boxOf(cellOf(page, 0, 0))).top).toBeGreaterThanOrEqual((await boxOf(labels)).bottom);
    expect((await boxOf(labels)).top).toBeGreaterThanOrEqual(bottom);
    expect((await measured()).anyShift - before).toBeLessThan(0.001);
    // Going back from the end, no element gets the focus behind the header, and focus in the header does not scroll.
    const end = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    await scrollDown(page, end);
    await page.getByLabel('Tracking').focus();
    for (let stop = 0; stop < 30; stop += 1) {
      await user.press('Shift+Tab');
      expect(await isFocusVisible(page)).toBe(true);
    }
    await scrollDown(page, 300);
    await page.getByRole('button', { name: 'Submit' }).focus();
    expect(await page.evaluate(() => scrollY)).toBe(300);
    await user.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).waitFor();
  });

  it('keeps the focused cell above the save bar that its change shows', async () => {
    const { poNumber } = await world.importOrder(ORDER);
    const user = await Keyboard.signIn(await visitors.visit({ height: 450 }), 'vendor:BOLT', `/orders/${poNumber}`);
    const { page } = user;
    await cellOf(page, 0, 0).click();
    for (let row = 0; row < 8; row += 1) await user.press('ArrowDown');
    await page.keyboard.type('7');
    await user.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect((await boxOf(page.locator(':focus'))).bottom).toBeLessThanOrEqual(
      (await boxOf(page.getByRole('region', { name: 'Unsaved changes' }))).top,
    );
  });

  it.each([
    { where: 'visible on a phone', window: { width: 390, height: 844 }, is: true },
    { where: 'visible at 200 % zoom', window: { width: 720, height: 450, scale: 2 }, is: true },
    { where: 'out of the way at 400 % zoom', window: { width: 360, height: 225 }, is: false },
  ])('keeps its header $where', async ({ window, is }) => {
    const { poNumber } = await world.importOrder(ORDER);
    const page = await (await visitors.visit(window)).signIn('vendor:BOLT', `/orders/${poNumber}`);
    await page.getByLabel('A0 NVY M', { exact: true }).waitFor();
    await scrollDown(page, 600);
    const above = await aboveOf(page);
    expect((await boxOf(head(page))).top === above).toBe(is);
    expect((await boxOf(head(page))).bottom).toBeLessThanOrEqual(above + 49);
    await page.getByLabel(/ M$/).last().focus();
    for (let stop = 0; stop < 8; stop += 1) {
      await page.keyboard.press('Shift+Tab');
      expect(await isFocusVisible(page)).toBe(true);
    }
    if (is) await screenshot(page, `order-scrolled-en-light-${window.width}`);
  });
});
