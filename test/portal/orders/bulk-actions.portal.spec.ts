import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { type World, act, detailOf } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { accessibilityViolations } from '../accessibility.js';
import { importOrders, rowOf, listedOrders } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

const statusOf = async (world: World, poRef: string) => (await detailOf(world.as('buyer'), poRef)).status;

describe('actions in the order list', () => {
  const { visitors, world } = portalTests();

  it('need a confirmation and show a result for each order; an order that has changed stays selected', async () => {
    const { search, numbers } = await importOrders(world, 3);
    const [first, second, third] = numbers as [string, string, string];
    await act(world.as('vendor:ACME'), first, 'SUBMIT');
    const page = await (await visitors.visit()).signIn('buyer', `/orders?search=${search}`);
    await rowOf(page, first).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.locator('footer').getByRole('button', { name: 'Cancel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Comment').fill('Season is over');
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([]);
    await screenshot(page, 'orders-bulk-en-light-1440');
    // One order changes while the user writes the comment.
    const moveOn = async (route: Route) => {
      await act(world.as('buyer'), first, 'APPROVE');
      await route.continue();
    };
    await page.route('**/api/purchase-orders/transitions', moveOn, { times: 1 });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByText('2 done · 1 not done').waitFor();
    expect([await statusOf(world, first), await statusOf(world, second)]).toEqual(['Confirmed', 'Cancelled']);
    expect(await page.locator('[data-picked]').count()).toBe(3);
    await screenshot(page, 'orders-bulk-results-en-light-1440');
    await dialog.getByText('Review it before you try again.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Try/ }).count()).toBe(0);
    await dialog.locator('button', { hasText: 'Close' }).click();
    await rowOf(page, first).getByText('Confirmed').waitFor();
    expect(await page.locator('[data-picked]').count()).toBe(1);
    await page.locator('footer').getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByLabel('Comment').fill('Season is over');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByText('1 done').waitFor();
    expect([await statusOf(world, first), await statusOf(world, third)]).toEqual(['Cancelled', 'Cancelled']);
    await dialog.locator('button', { hasText: 'Close' }).click();
    await rowOf(page, first).getByText('Cancelled').waitFor();
    expect(await page.locator('[data-picked]').count()).toBe(0);
  });

  it('show in readable contrast how many of the selected orders they concern', async () => {
    // axe does not check single characters.
    const { search, numbers } = await importOrders(world, 11);
    await act(world.as('admin'), numbers[0] as string, 'CANCEL');
    const page = await (await visitors.visit({ theme: 'dark' })).signIn('vendor:ACME', `/orders?search=${search}`);
    await page.getByRole('checkbox', { name: '选择本页全部' }).click();
    await page.locator('footer').getByRole('button', { name: /10$/ }).first().waitFor();
    expect(await accessibilityViolations(page, 'footer')).toEqual([]);
  });

  it('of other users are marked in place, and orders that no longer match leave only on request', async () => {
    const { search, numbers } = await importOrders(world, 3);
    const [first, second] = numbers as [string, string];
    const page = await (await visitors.visit()).signIn('buyer', `/orders?search=${search}&status=New`);
    await waitUntilLive(page);
    await rowOf(page, first).waitFor();
    const before = await listedOrders(page);
    await act(world.as('vendor:ACME'), second, 'SUBMIT');
    await rowOf(page, second).getByText('Pending Approval').waitFor();
    await rowOf(page, second).getByRole('img', { name: 'Changed since you opened the list' }).waitFor();
    await page.getByRole('button', { name: '1 order changed – Refresh' }).waitFor();
    expect(await listedOrders(page)).toEqual(before);
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'orders-live-en-light-1440');
    await page.getByRole('button', { name: '1 order changed – Refresh' }).click();
    await rowOf(page, second).waitFor({ state: 'detached' });
    expect(await listedOrders(page)).toEqual(before.filter((ref) => ref !== second));
  });

  it('export the filtered orders to a file, or explain why they cannot', async () => {
    const { search, numbers } = await importOrders(world, 2);
    const visitor = await visitors.visit();
    visitor.expect(/status of 422/);
    const page = await visitor.signIn('buyer', `/orders?search=${search}`);
    await rowOf(page, numbers[0] as string).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).first().click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.match(new RegExp(`${search}-\\d+`, 'g'))?.toSorted()).toEqual(numbers);
    await page.getByText(/Downloaded: purchase-orders-[\d-]+\.csv/).waitFor();
    await page.route('**/api/purchase-order-exports?*', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'EXPORT_TOO_LARGE', detail: 'too large', rows: 60_000, limit: 50_000 }),
      }),
    );
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Excel' }).last().click();
    await page.getByText('The file would have 60,000 rows; the limit is 50,000.').waitFor();
    await screenshot(page, 'orders-export-too-large-en-light-1440');
    await page.setViewportSize({ width: 1280, height: 800 });
    await rowOf(page, numbers[0] as string)
      .getByRole('checkbox')
      .check();
    const bar = page.locator('footer[data-selection]');
    await bar.getByRole('button').nth(2).waitFor();
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    // At this height the bar is at the bottom of the window, as with more rows than fit.
    await page.setViewportSize({ width: 1280, height: Math.ceil(y + height) + 17 });
    await eventually('the message is above the bar', async () => {
      const alertBox = await page.getByRole('alert').last().boundingBox();
      return alertBox !== null && alertBox.y > 0 && alertBox.y + alertBox.height <= y;
    });
    await screenshot(page, 'orders-said-above-bar-en-light-1280');
  });
});
