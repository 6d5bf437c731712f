import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { act } from '../../e2e/world.js';
import { accessibilityViolations, isFocusVisible } from '../accessibility.js';
import { Keyboard } from '../keyboard.js';
import { cursorOf, importOrders, listStateOf, rowOf, listedOrders } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { portalTests, portalUrl, waitUntilLive } from '../visitors.js';

describe('the order list', () => {
  const { visitors, world } = portalTests();
  let search: string;
  let numbers: string[];
  beforeAll(async () => {
    ({ search, numbers } = await importOrders(world, 24));
  });

  it('keeps its filters in the URL and can remove each', async () => {
    const page = await (await visitors.visit()).signIn('buyer', `/orders?search=${search}&status=New,Shipped`);
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await listedOrders(page)).toEqual(numbers.toReversed());
    const bar = page.getByRole('search');
    await bar.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'New' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show all orders' }).press('Enter');
    await page.locator('[data-order]').first().waitFor();
    await new Keyboard(page).requireFocus();
    await page.goBack();
    await page.getByText('No matching order').waitFor();
    await page.getByRole('button', { name: 'Remove filter: Status Shipped' }).click();
    await rowOf(page, numbers[0] as string).waitFor();
    expect(new URL(page.url()).search).toBe(`?search=${search}`);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(portalUrl('/orders?view=all'));
    await page.goBack();
    await page.waitForURL(/search=/);
    await eventually(
      'the list shows all orders again',
      async () => (await listedOrders(page)).length === numbers.length,
    );
  });

  it('is browsed, selected and opened by keyboard, and Back restores selection and position', async () => {
    const page = await (await visitors.visit({ height: 700 })).signIn('buyer', `/orders?search=${search}`);
    await rowOf(page, numbers[0] as string).waitFor();
    for (const field of [page.getByRole('search').getByRole('textbox'), page.getByRole('checkbox').first()])
      expect(await field.evaluate((box) => getComputedStyle(box).borderColor)).toBe('rgb(130, 137, 150)');
    for (let row = 0; row < numbers.length; row += 1) await page.keyboard.press('j');
    expect(await cursorOf(page)).toBe(numbers[0]);
    await page.keyboard.press('x');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.keyboard.press('Shift+X');
    await eventually('three are selected', async () => (await listStateOf(page))[0] === 3);
    await page.getByText('3 selected').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([]);
    const characters = page.getByRole('checkbox', { name: /single-key shortcuts/ });
    await screenshot(page, 'orders-keys-en-light-1440');
    await characters.uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('x');
    await page.getByText('3 selected').first().waitFor();
    const slash = page.getByRole('search').locator('kbd');
    expect(await slash.count()).toBe(0);
    // At 200 % zoom too.
    await page.setViewportSize({ width: 720, height: 700 });
    await page.getByRole('button', { name: 'Keyboard' }).press('Enter');
    await characters.check();
    await page.setViewportSize({ width: 1440, height: 700 });
    await slash.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+K');
    await page.keyboard.press('Shift+K');
    await page.keyboard.press('Shift+J');
    await eventually('four are selected', async () => (await listStateOf(page))[0] === 4);
    const before = await listStateOf(page);
    expect(before[1]).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: numbers[3] as string }).waitFor();
    await page.goBack();
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await listStateOf(page)).toEqual(before);
    await page.reload();
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await listStateOf(page)).toEqual(before);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await listStateOf(page)).toEqual(before);
    await page.keyboard.press('Escape');
    await eventually('nothing is selected', async () => (await listStateOf(page))[0] === 0);
    await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
    await eventually('another list begins at its first row', async () => (await listStateOf(page))[1] === 0);
  });

  it.each([
    ['buyer', 'Row order changed – Refresh'],
    ['vendor:ACME', '列表顺序有变化 – 刷新'],
  ] as const)('announces changes beside its filters, never over them, at any width: %s', async (user, announcement) => {
    const { search, numbers } = await importOrders(world, 2, { xfd: '2099-01-15' });
    const filters = `search=${search}&status=New,Cancelled&overdue=false&sortField=status`;
    const visitor = await visitors.visit({ width: 1280 });
    const page = await visitor.signIn(user, `/orders?${filters}`);
    await rowOf(page, numbers[0] as string).waitFor();
    await waitUntilLive(page);
    await act(world.as('admin'), (await listedOrders(page))[0] as string, 'CANCEL');
    const button = page.getByRole('button', { name: announcement });
    await button.waitFor();
    const covered = () =>
      button.evaluate((element) => {
        const own = element.getBoundingClientRect();
        const covers = (other: DOMRect) =>
          other.left < own.right && other.right > own.left && other.top < own.bottom && other.bottom > own.top;
        const controls = document.querySelectorAll('[role=search] button, [role=search] input, thead');
        return [...controls].filter((one) => covers(one.getBoundingClientRect())).map(({ textContent }) => textContent);
      });
    for (let width = 1440; width > 768; width -= 40) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await covered()]).toEqual([width, []]);
    }
  });

  it('consists of selectable cards on a phone', async () => {
    const visitor = await visitors.visit({ width: 390, height: 844 });
    const page = await visitor.signIn('buyer', `/orders?search=${search}`);
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await page.locator('main table').count()).toBe(0);
    await page.getByRole('checkbox', { name: `Select ${numbers[23]}` }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'orders-selected-en-light-390');
    await rowOf(page, numbers[22] as string).click();
    await page.getByRole('heading', { name: numbers[22] as string }).waitFor();
  });

  it('keeps the focused card clear of the header and of the bar of the selection at 200 % zoom', async () => {
    const visitor = await visitors.visit({ width: 720, height: 450, scale: 2 });
    const page = await visitor.signIn('buyer', `/orders?search=${search}`);
    await page.getByRole('checkbox', { name: `Select ${numbers[23]}` }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    for (const key of ['j', 'k', 'Tab', 'Shift+Tab'])
      for (let stop = 1; stop <= 20; stop += 1) {
        await page.keyboard.press(key);
        expect([key, stop, await isFocusVisible(page)]).toEqual([key, stop, true]);
      }
    const before = await page.evaluate(() => scrollY);
    await page.getByRole('button', { name: 'Cancel' }).focus();
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });

  it('names the flag in a card that the pointer is on, and does not open the order from there', async () => {
    const { search } = await importOrders(world, 1, { xfd: '2026-01-06' });
    const visitor = await visitors.visit({ width: 390, height: 844 });
    const page = await visitor.signIn('buyer', `/orders?search=${search}`);
    await page.getByRole('img', { name: 'Overdue' }).click();
    await page.getByRole('tooltip', { name: 'Overdue' }).waitFor();
    expect(page.url()).toBe(portalUrl(`/orders?search=${search}`));
  });

  it('removes invalid and unknown parameters from its URL', async () => {
    const { search, numbers } = await importOrders(world, 1);
    const address = `/orders?search=${search}&page=abc&sortField=none&utm_source=mail`;
    const page = await (await visitors.visit()).signIn('buyer', address);
    await rowOf(page, numbers[0] as string).waitFor();
    expect(new URL(page.url()).search).toBe(`?search=${search}`);
  });

  it('is read when its page is shown again, if it was empty and hidden when its first order arrived', async () => {
    const poNumber = `LST-${randomUUID().slice(0, 8).toUpperCase()}`;
    const visitor = await visitors.visit();
    const hidden = await visitor.signIn('buyer', `/orders?search=${poNumber}`);
    const shown = await visitor.openTab();
    await shown.goto(hidden.url());
    for (const page of [hidden, shown]) {
      await page.getByText('No matching order').waitFor();
      await waitUntilLive(page);
    }
    const setVisibility = (state: DocumentVisibilityState) =>
      hidden.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, state);
    await setVisibility('hidden');
    await world.importOrder({ poNumber });
    await rowOf(shown, poNumber).waitFor();
    expect(await rowOf(hidden, poNumber).count()).toBe(0);
    await setVisibility('visible');
    await rowOf(hidden, poNumber).waitFor();
  });
});
