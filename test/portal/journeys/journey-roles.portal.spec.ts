import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { act, historyOf } from '../../e2e/world.js';
import { accessibilityViolations } from '../accessibility.js';
import { BUYER, waitForStatus, dialog, head, importFor, offeredActions, switchToChinese } from '../journey.js';
import { rowOf } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { goTo, waitUntilLive, portalTests } from '../visitors.js';

/** Executes an action on the open order; `from` is the name of its menu. */
async function decide(page: Page, action: string, { from, comment }: { from?: string; comment?: string } = {}) {
  if (from === undefined) await head(page).getByRole('button', { name: action }).click();
  else {
    await head(page).getByRole('button', { name: from }).click();
    await page.getByRole('menuitem', { name: `${action}…` }).click();
  }
  if (comment !== undefined) await dialog(page).getByRole('textbox').fill(comment);
  await dialog(page).getByRole('button', { name: action, exact: true }).last().click();
  await dialog(page).waitFor({ state: 'detached' });
}
const isLatestEntry = (page: Page, text: string) => page.locator('ol > li').first().getByText(text).waitFor();

describe('each role in the portal', () => {
  const { visitors, world } = portalTests();
  const steps = async (poRef: string) =>
    (await historyOf(world.as('admin'), poRef)).toReversed().map(({ action, comment }) => [action, comment]);

  it('in Chinese: a vendor submits, a buyer rejects with a reason, the vendor revises, the buyer approves', async () => {
    const { poNumber } = await importFor(world, 'ACME');
    const [vendor, buyer] = await Promise.all([
      visitors.visit().then((visitor) => visitor.signIn('vendor:ACME', `/orders/${poNumber}`)),
      visitors.visit({ theme: 'dark' }).then((visitor) => visitor.signIn(BUYER)),
    ]);
    await switchToChinese(buyer);
    await buyer.getByRole('heading', { name: '订单' }).waitFor();
    await waitForStatus(vendor, '新订单');
    await Promise.all([waitUntilLive(vendor), waitUntilLive(buyer)]);
    expect(await offeredActions(vendor)).toEqual(['按原单接受', '提交']);
    await decide(vendor, '提交');
    await goTo(buyer, `/orders/${poNumber}`);
    await waitForStatus(buyer, '待审批');
    await decide(buyer, '驳回', { from: '更多操作', comment: '交期太晚' });
    await waitForStatus(buyer, '修订中');
    await waitForStatus(vendor, '修订中');
    await isLatestEntry(vendor, '交期太晚');
    // The latest comment is shown to the side that replies, not to its author.
    const lastWord = (page: Page) => page.getByRole('region', { name: '最近的备注' });
    await lastWord(vendor).getByText('交期太晚').waitFor();
    expect(await lastWord(buyer).count()).toBe(0);
    await vendor.getByLabel('回复工厂').fill('合肥');
    await vendor.getByLabel('回复工厂').press('Control+s');
    await vendor.getByText('处更改未保存').waitFor({ state: 'detached' });
    await decide(vendor, '提交', { comment: '已改' });
    await waitForStatus(buyer, '待审批');
    await isLatestEntry(buyer, '已改');
    await lastWord(buyer).getByText('已改').waitFor();
    await screenshot(buyer, 'journey-buyer-zh-dark-1440');
    await decide(buyer, '批准');
    await waitForStatus(vendor, '已确认');
    expect((await offeredActions(vendor)).toSorted()).toEqual(['投产', '撤回']);
    expect(await steps(poNumber)).toEqual([
      ['IMPORT', null],
      ['SUBMIT', null],
      ['REJECT', '交期太晚'],
      ['SUBMIT', '已改'],
      ['APPROVE', null],
    ]);
  });

  it('in English: a vendor recalls a submitted order, and a buyer recalls an order in production', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    const [vendor, buyer] = await Promise.all([
      visitors.visit().then((visitor) => visitor.signIn('vendor:BOLT', `/orders/${poNumber}`)),
      visitors.visit().then((visitor) => visitor.signIn(BUYER, `/orders/${poNumber}`)),
    ]);
    await Promise.all([waitUntilLive(vendor), waitUntilLive(buyer)]);
    await decide(vendor, 'Submit');
    await waitForStatus(buyer, 'Pending Approval');
    expect(await offeredActions(vendor)).toEqual(['Recall']);
    await decide(vendor, 'Recall', { comment: 'One moment' });
    await waitForStatus(buyer, 'In Revision');
    await isLatestEntry(buyer, 'One moment');
    await decide(vendor, 'Submit');
    await waitForStatus(buyer, 'Pending Approval');
    await decide(buyer, 'Approve');
    await waitForStatus(buyer, 'Confirmed');
    await decide(buyer, 'Move to Production');
    await waitForStatus(vendor, 'In Production');
    expect(await offeredActions(vendor)).toEqual(['Mark Shipped']);
    await decide(buyer, 'Recall', { comment: 'Another fabric' });
    await waitForStatus(vendor, 'In Revision');
    await isLatestEntry(vendor, 'Another fabric');
    expect(await offeredActions(vendor)).toEqual(['Accept as ordered', 'Submit']);
    expect((await steps(poNumber)).map(([action]) => action)).toEqual([
      'IMPORT',
      'SUBMIT',
      'RECALL',
      'SUBMIT',
      'APPROVE',
      'MOVE_TO_PRODUCTION',
      'RECALL',
    ]);
  });

  it('an administrator sees the orders of all vendors and acts for both sides, but cannot reply', async () => {
    const [one, other] = [await importFor(world, 'ACME'), await importFor(world, 'BOLT')];
    await act(world.as('vendor:ACME'), one.poNumber, 'SUBMIT');
    const page = await (await visitors.visit()).signIn('admin');
    await Promise.all([one, other].map(({ poNumber }) => rowOf(page, poNumber).waitFor()));
    await page.getByRole('button', { name: 'Signed in as Sam Okafor' }).click();
    await page.getByRole('menu').getByText('Administrator').first().waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, `/orders/${one.poNumber}`);
    for (const [action, status] of [
      ['Approve', 'Confirmed'],
      ['Move to Production', 'In Production'],
      ['Mark Shipped', 'Shipped'],
      ['Confirm Delivery', 'Delivered'],
    ] as const) {
      expect(await page.getByLabel('Reply factory').count()).toBe(0);
      await decide(page, action);
      await waitForStatus(page, status);
    }
    expect(await offeredActions(page)).toEqual([]);
    await goTo(page, `/orders/${other.poNumber}`);
    await decide(page, 'Cancel', { from: 'More actions', comment: 'No longer wanted' });
    await waitForStatus(page, 'Cancelled');
    expect(await steps(other.poNumber)).toEqual([
      ['IMPORT', null],
      ['CANCEL', 'No longer wanted'],
    ]);
  });

  it('a viewer sees everything and is offered no action', async () => {
    const { poNumber } = await importFor(world, 'ACME');
    await act(world.as('vendor:ACME'), poNumber, 'SUBMIT', 'Please look');
    const page = await (await visitors.visit()).signIn('viewer');
    await rowOf(page, poNumber).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page
      .getByText(/^\d+ selected$/)
      .first()
      .waitFor();
    expect(
      await page
        .locator('footer')
        .getByRole('button', { name: /Submit|Approve|Cancel|Recall/ })
        .count(),
    ).toBe(0);
    await goTo(page, `/orders/${poNumber}`);
    await waitForStatus(page, 'Pending Approval');
    await isLatestEntry(page, 'Please look');
    await page.locator('[role=grid][aria-readonly=true]').waitFor();
    expect(await offeredActions(page)).toEqual([]);
    expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Save|Discard|Ask about/ }).count()).toBe(0);
    await screenshot(page, 'journey-viewer-en-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
