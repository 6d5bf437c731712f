import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { detailOf, footprint, historyOf } from '../../e2e/world.js';
import type { Api } from '../../support/api-client.js';
import { accessibilityViolations, overflow } from '../accessibility.js';
import { waitForStatus, dialog, head } from '../journey.js';
import { eventually } from '@po/testing/eventually';
import { Keyboard } from '../keyboard.js';
import { BOLT, importOrders, rowOf } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

/** The user of BOLT reads English, the user of ACME Chinese. */
const IN_EUR = { ...BOLT, currency: 'EUR' };
const ACME = { vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' }, currency: 'EUR' };
const PHONE = { width: 360, height: 740 };
const focused = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();

describe('accepting an order as ordered', () => {
  const { visitors, world } = portalTests();
  const [buyer, bolt] = [world.as('buyer'), world.as('vendor:BOLT')];
  const reply = async (vendor: Api, poRef: string) => {
    const { status } = await vendor.patch(`/purchase-orders/${poRef}`, { vendor_reply_factory: 'Hefei 9' });
    expect(status).toBe(200);
  };
  const lastOf = async (poRef: string) => {
    const [entry] = await historyOf(buyer, poRef);
    return [(await detailOf(buyer, poRef)).status, entry?.action, entry?.comment, entry?.changes];
  };
  const ACCEPTED = ['Pending Approval', 'SUBMIT', null, null];

  it('works by keyboard in the list for orders without edits, and the focus stays in the row', async () => {
    const { search, numbers } = await importOrders(world, 2, IN_EUR);
    const [first, second] = numbers as [string, string];
    await reply(bolt, second);
    const before = await footprint(bolt, first);
    const user = await Keyboard.signIn(await visitors.visit(), 'vendor:BOLT', `/orders?search=${search}`);
    const { page } = user;
    const accept = rowOf(page, first).getByRole('button', { name: `Accept as ordered ${first}` });
    await accept.waitFor();
    expect(await page.getByRole('button', { name: /^Accept as ordered/ }).count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'accept-list-en-light-1440');
    const table = page.getByRole('table').locator('..');
    const hides = () => table.evaluate((frame) => frame.hasAttribute('data-hides'));
    await page.setViewportSize({ width: 1024, height: 800 });
    await eventually('the table indicates hidden columns', hides);
    await screenshot(page, 'accept-list-en-light-1024');
    await table.evaluate((frame) => frame.scrollTo({ left: frame.scrollWidth }));
    await eventually('no column is hidden', async () => !(await hides()));
    await page.setViewportSize({ width: 1280, height: 800 });
    await screenshot(page, 'accept-list-en-light-1280');
    await user.tabTo(accept);
    await user.press('Enter');
    await dialog(page).getByText(`Accept as ordered: ${first}`).waitFor();
    await dialog(page).locator('dd').last().waitFor();
    expect(await dialog(page).locator('dd').allInnerTexts()).toEqual(['EUR 812.50', '65', '1 Mar 2027']);
    await focused(page, 'Accept as ordered');
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([]);
    await screenshot(page, 'accept-one-en-light-1440');
    await user.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await focused(page, `Accept as ordered ${first}`);
    expect(await footprint(bolt, first)).toEqual(before);
    await user.press('Enter');
    await focused(page, 'Accept as ordered');
    await user.press('Enter');
    await dialog(page).getByText('1 done').waitFor();
    await user.press('Escape');
    await rowOf(page, first).getByText('Pending Approval').waitFor();
    await rowOf(page, first).and(page.locator(':focus')).waitFor();
    expect(await lastOf(first)).toEqual(ACCEPTED);
    expect((await detailOf(bolt, second)).status).toBe('New');
  });

  it.each([
    ['en', 'vendor:BOLT', IN_EUR, 'Accept as ordered', '1 done', 'Pending Approval', 'More actions', 'Submit…'],
    ['zh', 'vendor:ACME', ACME, '按原单接受', '1 个已完成', '待审批', '更多操作', '提交…'],
  ] as const)(
    'fits a phone, in a card and on the order page: %s',
    async (language, user, orders, label, done, status, more, submit) => {
      const { search, numbers } = await importOrders(world, 2, orders);
      const [first, second] = numbers as [string, string];
      const page = await (await visitors.visit(PHONE)).signIn(user, `/orders?search=${search}`);
      const look = async (name: string) => {
        expect([await overflow(page), await accessibilityViolations(page)]).toEqual([0, []]);
        await screenshot(page, `accept-${name}-${language}-light-360`);
      };
      await page.getByRole('button', { name: `${label} ${first}` }).waitFor();
      await look('cards');
      await page.getByRole('button', { name: `${label} ${first}` }).click();
      await dialog(page).getByText('EUR 812.50').waitFor();
      await look('card-dialog');
      await dialog(page).getByRole('button', { name: label }).click();
      await dialog(page).getByText(done).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('li').filter({ hasText: first }).getByText(status).waitFor();
      expect(await lastOf(first)).toEqual(ACCEPTED);
      await rowOf(page, second).click();
      await head(page).getByRole('button', { name: more }).click();
      await page.getByRole('menuitem', { name: submit }).waitFor();
      await page.keyboard.press('Escape');
      await look('order');
      await head(page).getByRole('button', { name: label }).click();
      await dialog(page).getByText('EUR 812.50').waitFor();
      await look('order-dialog');
      await dialog(page).getByRole('button', { name: label }).click();
      await waitForStatus(page, status);
      expect(await lastOf(second)).toEqual(ACCEPTED);
    },
  );

  it('is not offered on the order page with a typed reply, and is disabled after a reply by a colleague', async () => {
    const { numbers } = await importOrders(world, 1, IN_EUR);
    const [poNumber] = numbers as [string];
    const page = await (await visitors.visit({ theme: 'dark' })).signIn('vendor:BOLT', `/orders/${poNumber}`);
    const accept = head(page).getByRole('button', { name: 'Accept as ordered' });
    await accept.waitFor();
    await page.getByLabel('Reply factory').fill('Hefei 9');
    await accept.waitFor({ state: 'detached' });
    await head(page).getByRole('button', { name: 'Submit' }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await accept.click();
    await focused(page, 'Accept as ordered');
    await screenshot(page, 'accept-order-en-dark-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
    await waitUntilLive(page);
    await reply(bolt, poNumber);
    const edited = await footprint(bolt, poNumber);
    await dialog(page).getByText('it can no longer be accepted as ordered').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Accept as ordered' }).isDisabled()).toBe(true);
    await screenshot(page, 'accept-order-changed-en-dark-1440');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await accept.count()).toBe(0);
    expect(await footprint(bolt, poNumber)).toEqual(edited);
  });
});
