import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { act } from '../../e2e/world.js';
import { accessibilityViolations, isFocusVisible, overflow } from '../accessibility.js';
import { NewUser } from '../new-user.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

const CRANE = { vendor: { code: 'CRANE', name: 'Crane Textiles Co.' } };
const bell = (page: Page, unread: number) =>
  page.getByRole('button', { name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`, exact: true });
/** Waits for this number of unread notifications. */
const notified = async (page: Page, unread: number) => {
  const button = bell(page, unread);
  await button.waitFor();
  return button;
};
const list = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

describe('the bell', () => {
  const { visitors, world } = portalTests();
  beforeEach(async () => {
    await world.as('vendor:CRANE').put('/notifications/all/read');
  });

  it('counts live in every tab, and marking one or all as read updates all tabs', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('vendor:CRANE');
    const tab = await visitor.openTab();
    await tab.goto(page.url());
    await Promise.all([waitUntilLive(page), waitUntilLive(tab), bell(page, 0).waitFor(), bell(tab, 0).waitFor()]);
    const [one, other] = [await world.importOrder(CRANE), await world.importOrder(CRANE)];
    await Promise.all([notified(page, 2), notified(tab, 2)]);
    await bell(page, 2).click();
    await bell(tab, 2).click();
    const unread = (where: Page) => list(where).locator('li[data-unread]');
    await unread(page).filter({ hasText: other.poNumber }).waitFor();
    await unread(page).filter({ hasText: one.poNumber }).getByRole('button').click();
    await Promise.all([bell(page, 1).waitFor(), bell(tab, 1).waitFor()]);
    expect(await unread(page).count()).toBe(1);
    await act(world.as('buyer'), one.poNumber, 'CANCEL', 'No budget');
    await unread(tab).getByText('No budget').waitFor();
    await Promise.all([notified(page, 2), notified(tab, 2)]);
    await list(tab).getByRole('button', { name: 'Mark all as read' }).click();
    await Promise.all([bell(page, 0).waitFor(), bell(tab, 0).waitFor()]);
    await unread(page).first().waitFor({ state: 'detached' });
    const { body } = await world.as('vendor:CRANE').get<{ read: boolean }[]>('/notifications?unread=true');
    expect(body).toEqual([]);
  });

  it('links to the change of a notification, which is then marked as read', async () => {
    const { poNumber } = await world.importOrder(CRANE);
    await act(world.as('vendor:CRANE'), poNumber, 'SUBMIT');
    await act(world.as('buyer'), poNumber, 'REJECT', 'Too dear');
    const page = await (await visitors.visit()).signIn('vendor:CRANE');
    await (await notified(page, 2)).click();
    await list(page).locator('li[data-unread]').filter({ hasText: 'Too dear' }).getByRole('link').click();
    await page.locator('li[data-link-target]').getByText('Too dear').waitFor();
    await bell(page, 1).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/orders/${poNumber}`);
    expect(await list(page).count()).toBe(0);
    // A notification about the same order: the page stays, and only the linked entry changes.
    await bell(page, 1).click();
    await list(page).locator('li[data-unread]').getByRole('link').click();
    await page.locator('li[data-link-target]').getByText('Import').waitFor();
    await bell(page, 0).waitFor();
  });

  it('fits a phone in dark theme and has no accessibility violations', async () => {
    await world.importOrder(CRANE);
    const page = await (await visitors.visit({ theme: 'dark', width: 390 })).signIn('vendor:CRANE');
    await (await notified(page, 1)).click();
    // Yesterday if the test runs over midnight.
    await list(page)
      .getByRole('region', { name: /^(?:today|yesterday)$/ })
      .first()
      .waitFor();
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([]);
    await screenshot(page, 'bell-en-dark-390');
    expect(await overflow(page)).toBe(0);
  });

  it.each([
    { width: 844, height: 390 },
    { width: 720, height: 450, scale: 2 },
    { width: 360, height: 225, scale: 4 },
    { width: 320, height: 180, scale: 4 },
  ])('can be read to its end in a window of $width × $height', async (window) => {
    await Promise.all(Array.from({ length: 50 }, () => world.importOrder(CRANE)));
    const page = await (await visitors.visit(window)).signIn('vendor:CRANE');
    await (await notified(page, 50)).click();
    const older = list(page).getByRole('button', { name: 'Show older notifications' });
    await older.focus();
    const { y = 0, height = 0 } = (await older.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(window.height);
    await screenshot(page, `bell-en-light-${window.width}`);
    for (let stop = 1; stop <= 30; stop += 1) {
      await page.keyboard.press('Shift+Tab');
      expect([stop, await isFocusVisible(page)]).toEqual([stop, true]);
    }
  });

  it('loads as soon as the connection is back if it was opened offline', async () => {
    // Unlike the demo user, a new user has no notifications from other tests.
    const user = await NewUser.withRightsOf(visitors, 'viewer');
    const visitor = await visitors.visit();
    await visitor.useToken(user.token);
    visitor.expect(/ERR_INTERNET_DISCONNECTED/, /toasts-/);
    const page = await visitor.signIn('viewer');
    await bell(page, 0).click();
    await list(page).getByText('You are up to date').waitFor();
    await visitor.context.setOffline(true);
    await list(page).getByText('Unread', { exact: true }).first().click();
    await list(page).getByText('You are offline').waitFor();
    await visitor.context.setOffline(false);
    await list(page).getByText('You are up to date').waitFor();
    expect(await page.getByText('You are offline').count()).toBe(0);
  });
});
