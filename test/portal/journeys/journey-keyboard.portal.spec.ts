import { describe, expect, it } from '@jest/globals';
import { detailOf } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { BUYER, waitForStatus, delivered, dialog, head, importFor, lifeOf } from '../journey.js';
import { Keyboard } from '../keyboard.js';
import { cellOf } from '../matrix.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

/** Executes an action on the open order. */
async function decide(user: Keyboard, action: string, comment = ''): Promise<void> {
  const { page } = user;
  await user.tabTo(head(page).getByRole('button', { name: action }));
  await user.press('Enter');
  await dialog(page).getByRole('textbox').waitFor();
  await eventually('the comment has the focus', () =>
    dialog(page)
      .getByRole('textbox')
      .evaluate((field) => field === document.activeElement),
  );
  await user.type(comment);
  if (comment === '') await user.tabTo(dialog(page).getByRole('button', { name: action }));
  await user.press(comment === '' ? 'Enter' : 'Control+Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await eventually('something has the focus', () => user.requireFocus());
}

describe('an order worked on by keyboard alone', () => {
  const { visitors, world } = portalTests();

  it('goes from New to Delivered, and the focus is always visible', async () => {
    const { poNumber } = await importFor(world, 'ACME');
    const [vendor, buyer] = await Promise.all([
      visitors.visit({ theme: 'dark' }).then((visitor) => Keyboard.signIn(visitor, 'vendor:ACME')),
      visitors.visit().then((visitor) => Keyboard.signIn(visitor, BUYER)),
    ]);
    await waitUntilLive(buyer.page);

    // The vendor, in Chinese, finds the order and replies.
    await vendor.page.locator('[data-order]').first().waitFor();
    await vendor.press('/');
    await vendor.type(poNumber);
    await eventually(
      'only that order is listed',
      async () => (await vendor.page.locator('[data-order]').count()) === 1,
    );
    await vendor.tabTo(vendor.page.locator(`[data-order="${poNumber}"]`));
    await vendor.press('Enter');
    await waitForStatus(vendor.page, '新订单');
    await vendor.tabTo(vendor.page.getByLabel('回复离厂日期'));
    await vendor.type('2027-03-15');
    await vendor.tabTo(vendor.page.getByLabel('回复工厂'));
    await vendor.type('Hefei 9');
    await vendor.press('Control+s');
    await eventually('the reply is saved', async () => (await detailOf(world.as('admin'), poNumber)).version === 2);
    await vendor.requireFocus();
    await vendor.tabTo(cellOf(vendor.page, 0, 0));
    await vendor.press('ArrowRight');
    await vendor.type('24');
    await vendor.press('Enter');
    await screenshot(vendor.page, 'journey-keyboard-zh-dark-1440');
    await vendor.press('Control+s');
    await vendor.page.locator('[data-unsaved]').waitFor({ state: 'detached' });
    expect(await cellOf(vendor.page, 1, 1).evaluate((cell) => cell === document.activeElement)).toBe(true);
    // The vendor cancels the dialog, then opens it again.
    await vendor.tabTo(head(vendor.page).getByRole('button', { name: '提交' }));
    await vendor.press('Enter');
    await dialog(vendor.page).waitFor();
    await vendor.press('Escape');
    await dialog(vendor.page).waitFor({ state: 'detached' });
    await eventually('the focus is back', async () => (await vendor.requireFocus()) === 'button "提交"');
    await vendor.press('Tab');
    await decide(vendor, '提交', '面料延误');
    await waitForStatus(vendor.page, '待审批');

    // The buyer opens the notification.
    await buyer.tabTo(buyer.page.getByRole('button', { name: /^Notifications, / }));
    await buyer.press('Enter');
    const notification = dialog(buyer.page).locator('li').filter({ hasText: poNumber }).getByRole('link');
    await notification.waitFor();
    await buyer.tabTo(notification);
    await buyer.press('Enter');
    await buyer.page.locator('li[data-link-target]').getByText('面料延误').waitFor();
    await eventually('the entry has the focus', () =>
      buyer.page.locator('li[data-link-target]').evaluate((entry) => entry === document.activeElement),
    );
    await decide(buyer, 'Approve', 'Agreed');
    await waitForStatus(buyer.page, 'Confirmed');

    await waitForStatus(vendor.page, '已确认');
    await eventually('something has the focus', () => vendor.requireFocus());
    await decide(vendor, '投产');
    await waitForStatus(vendor.page, '生产中');
    await vendor.tabTo(vendor.page.getByLabel('柜号'));
    await vendor.type('MSKU 1234567');
    await vendor.press('Control+Enter');
    await eventually(
      'the container is saved',
      async () => (await detailOf(world.as('admin'), poNumber)).containerNumber !== null,
    );
    await decide(vendor, '标记发货');
    await waitForStatus(vendor.page, '已发货');

    await waitForStatus(buyer.page, 'Shipped');
    await decide(buyer, 'Confirm Delivery');
    await Promise.all([waitForStatus(buyer.page, 'Delivered'), waitForStatus(vendor.page, '已交付')]);
    expect(await lifeOf(world, poNumber)).toEqual(delivered('面料延误', 'Agreed'));
  });
});
