import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { detailOf, linesOf } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { importFor } from '../journey.js';
import { cellOf, enter } from '../matrix.js';
import { type OwnGateway, startOwnGateway } from '../own-gateway.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

const VENDOR = 'vendor:BOLT';

describe('an open portal', () => {
  const { visitors, world } = portalTests();
  let gateway: OwnGateway;
  beforeAll(async () => {
    gateway = await startOwnGateway();
  });
  afterAll(() => gateway.stop());
  const unread = async () =>
    (await world.as(VENDOR).get<{ unreadNotifications: number }>('/me')).body.unreadNotifications;

  it('waits for its gateway to restart, keeps unsaved edits, and shows missed changes without a reload', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    const visitor = await visitors.visit();
    visitor.expect(/ERR_(CONNECTION|INCOMPLETE|EMPTY|SOCKET)/, /toasts-/);
    const page = await visitor.signIn(VENDOR, `/orders/${poNumber}`, gateway.url);
    await waitUntilLive(page);
    await page.evaluate(() => Object.assign(globalThis, { stayed: true }));
    await enter(page, 0, 0, '11');

    await gateway.process.suspend('SIGKILL');
    await page.locator('[data-live="off"]').waitFor();
    await page.getByRole('status', { name: 'Reconnecting' }).waitFor();
    await page.getByLabel('Reply factory').fill('Hefei 9');
    await page.getByLabel('Reply factory').press('Control+s');
    await page.getByRole('alert').getByText('Check your connection, then try again.').first().waitFor();
    await screenshot(page, 'gateway-away-en-light-1440');
    // The vendor gets a notification while the stream is down.
    const before = await unread();
    const missed = await importFor(world, 'BOLT');
    await eventually('the vendor is notified', async () => (await unread()) > before);

    gateway.process.resume();
    await gateway.isReady();
    await waitUntilLive(page);
    await eventually('the bell counts the missed notification', async () => {
      const name = await page.getByRole('button', { name: /^Notifications/ }).getAttribute('aria-label');
      const count = await unread();
      return name === (count > 99 ? 'Notifications, 99+ unread' : `Notifications, ${count} unread`);
    });
    expect(await cellOf(page, 0, 0).innerText()).toContain('11');
    expect(await page.getByLabel('Reply factory').inputValue()).toBe('Hefei 9');
    await page.getByLabel('Reply factory').press('Control+s');
    await eventually('all edits are saved', async () => {
      const [{ vendorReplyFactory }, [navy]] = [
        await detailOf(world.as('admin'), poNumber),
        await linesOf(world.as('admin'), poNumber),
      ];
      return vendorReplyFactory === 'Hefei 9' && navy?.sizes.S?.vendorReplyQty === 11;
    });
    await page.getByRole('link', { name: 'Orders' }).first().click();
    await page.locator(`[data-order="${missed.poNumber}"]`).waitFor();
    expect(await page.evaluate(() => 'stayed' in globalThis)).toBe(true);
  });

  it('keeps the loaded page usable if another part of the page cannot be loaded', async () => {
    const visitor = await visitors.visit();
    visitor.expect(/ERR_FAILED/, /toasts-/, /bell-list-/, /order-search-/);
    await visitor.context.route(/\/assets\/(toasts|bell-list|order-search)-/, (route) => route.abort());
    const tried = visitor.page.waitForEvent('requestfailed', (request) => request.url().includes('/toasts-'));
    const page = await visitor.signIn(VENDOR);
    await tried;
    const missing = page.getByRole('alert').getByText('what you typed is kept');
    await missing.waitFor();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const bell = page.getByRole('dialog', { name: 'Notifications' });
    await bell.getByRole('alert').getByText('This part could not be loaded').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await missing.nth(1).waitFor();
    await screenshot(page, 'part-missing-en-light-1440');
    expect(await page.locator('[data-order]').count()).toBeGreaterThan(0);
    await visitor.context.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).last().click();
    await page.locator('[data-order]').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByLabel('Search').waitFor();
  });
});
