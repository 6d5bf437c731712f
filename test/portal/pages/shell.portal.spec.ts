import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { act } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { waitUntilLive, portalTests, portalUrl } from '../visitors.js';

const stay = (page: Page) => page.evaluate(() => Object.assign(globalThis, { stayed: true }));
const stayed = (page: Page) => page.evaluate(() => 'stayed' in globalThis);

describe('on every page of the portal', () => {
  const { visitors, world } = portalTests();

  it('the language changes without a reload and is kept', async () => {
    const { poNumber } = await world.importOrder();
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', `/orders?search=${poNumber}`);
    await stay(page);
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: '中文' }).click();
    await page.getByRole('heading', { name: '订单' }).waitFor();
    await page.locator('tbody').getByText('新订单').waitFor();
    expect([await stayed(page), await page.title()]).toEqual([true, '订单 · 采购订单']);
    const request = page.waitForRequest((one) => one.url().includes('/api/purchase-orders?'));
    await page.reload();
    await page.getByRole('heading', { name: '订单' }).waitFor();
    expect((await request).headers()['accept-language']).toBe('zh-CN');
  });

  it('the theme follows the system until the user chooses one, and applies before the first paint', async () => {
    const visitor = await visitors.visit({ theme: 'light' });
    const page = await visitor.signIn('buyer');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await eventually('the page is dark', async () => (await ground()) !== light);
    const dark = await ground();
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        Object.assign(globalThis, { first: document.documentElement.dataset.mantineColorScheme });
      });
    });
    await page.reload();
    expect(await page.evaluate(() => (globalThis as unknown as { first: string }).first)).toBe('dark');
    await page.locator('h1').waitFor();
    expect(await ground()).toBe(dark);
  });

  it('the keyboard reaches the content, an order by search, and all settings', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer');
    await page.locator('tbody tr').first().waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('content');
    await page.keyboard.press('Control+k');
    const searchField = page.getByRole('dialog').getByLabel('Search');
    await searchField.fill('4500018211');
    await page.getByRole('dialog').getByText('PO-4500018211').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'PO-4500018211' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    const dark = () => page.locator('html[data-mantine-color-scheme=dark]').count();
    expect(await dark()).toBe(0);
    await page.keyboard.press('Control+k');
    await searchField.fill('dark');
    await page.getByRole('dialog').getByText('Theme: Dark').waitFor();
    await page.keyboard.press('Enter');
    await eventually('the page is dark', async () => (await dark()) === 1);
    await page.keyboard.press('Control+k');
    await searchField.fill('中文');
    await page.getByRole('dialog').getByText('Language: 中文').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '订单' }).waitFor();
  });

  it('the user menu opens the third-party licenses in a new tab', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer');
    await page.getByRole('button', { name: 'Signed in as' }).click();
    const opened = visitor.context.waitForEvent('page');
    await page.getByRole('menuitem', { name: 'Third-party licenses' }).click();
    const licenses = await opened;
    expect(new URL(licenses.url()).pathname).toBe('/third-party-licences.txt');
    await licenses.getByText('react-dom').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Orders' }).count()).toBe(1);
  });

  it('actions of other users appear in place in every tab through one shared stream', async () => {
    const order = await world.importOrder();
    const visitor = await visitors.visit();
    const streams: string[] = [];
    visitor.context.on('request', (request) => {
      if (request.url().includes('/notifications/stream?')) streams.push(request.url());
    });
    const page = await visitor.signIn('buyer');
    const tab = await visitor.openTab();
    await tab.goto(portalUrl(`/orders/${order.poNumber}`));
    await tab.locator('[role=grid] tfoot').waitFor();
    await Promise.all([waitUntilLive(page), waitUntilLive(tab)]);
    const row = page.locator('tbody tr', { hasText: order.poNumber });
    await row.getByText('New').waitFor();
    const numbers = () => page.locator('tbody a').allInnerTexts();
    const before = await numbers();
    await act(world.as('vendor:ACME'), order.poNumber, 'SUBMIT');
    await row.getByText('Pending Approval').waitFor();
    await tab.locator('#content header').getByText('Pending Approval').waitFor();
    expect(await numbers()).toEqual(before);
    expect(streams).toHaveLength(1);
    await page.close();
    await waitUntilLive(tab);
    await eventually('the other tab reads the stream', () => streams.length === 2);
    await act(world.as('buyer'), order.poNumber, 'APPROVE');
    await tab.locator('#content header').getByText('Confirmed').waitFor();
  });
});
