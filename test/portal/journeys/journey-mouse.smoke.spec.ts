import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { doubleClick } from '../browser/firefox.js';
import { BUYER, waitForStatus, dialog, delivered, head, importFor, lifeOf } from '../journey.js';
import { cellOf } from '../matrix.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

/** Clicks the first enabled Save button and waits until the change is saved. */
async function clickSave(page: Page): Promise<void> {
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
  await page.getByRole('button', { name: 'Save', disabled: false }).first().click();
  await saved;
}

/** Executes an action on the open order, with an optional comment. */
async function decide(page: Page, action: string, comment?: string): Promise<void> {
  await head(page).getByRole('button', { name: action }).click();
  if (comment !== undefined) {
    await dialog(page).getByLabel('Comment').click();
    await page.keyboard.type(comment);
  }
  await dialog(page).getByRole('button', { name: action }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

describe('an order worked on by mouse alone', () => {
  const { visitors, world } = portalTests();

  it('goes from New to Delivered', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    const [vendor, buyer] = await Promise.all([
      visitors.visit().then((visitor) => visitor.signIn('vendor:BOLT')),
      visitors.visit().then((visitor) => visitor.signIn(BUYER)),
    ]);
    await waitUntilLive(buyer);

    // The vendor finds the order in the list and replies.
    await vendor.getByLabel('Filter by PO number').click();
    await vendor.keyboard.type(poNumber);
    await vendor.locator(`[data-order="${poNumber}"] td`).nth(3).click();
    await waitForStatus(vendor, 'New');
    await vendor.getByLabel('Reply ex-factory').click();
    await vendor.getByRole('button', { name: '15 March 2027' }).click();
    await vendor.getByLabel('Reply factory').click();
    await vendor.keyboard.type('Hefei 9');
    await clickSave(vendor);
    await vendor.locator('dd').getByText('+14 days').waitFor();
    await doubleClick(cellOf(vendor, 0, 1));
    await doubleClick(vendor.locator('td input'));
    await vendor.keyboard.type('24');
    await cellOf(vendor, 0, 0).click();
    await clickSave(vendor);
    await vendor.locator('[data-unsaved]').waitFor({ state: 'detached' });
    await decide(vendor, 'Submit', 'Fabric is late');
    await waitForStatus(vendor, 'Pending Approval');

    // The buyer opens the notification and approves.
    await buyer.getByRole('button', { name: /^Notifications, / }).click();
    await dialog(buyer).locator('li').filter({ hasText: poNumber }).getByRole('link').click();
    await buyer.locator('li[data-link-target]').getByText('Fabric is late').waitFor();
    await screenshot(buyer, 'journey-approve-en-light-1440');
    await decide(buyer, 'Approve', 'Agreed');
    await waitForStatus(buyer, 'Confirmed');

    // The vendor, who still has the order open, produces and ships.
    await waitForStatus(vendor, 'Confirmed');
    await decide(vendor, 'Move to Production');
    await waitForStatus(vendor, 'In Production');
    await vendor.getByLabel('Container').click();
    await vendor.keyboard.type('MSKU 1234567');
    await clickSave(vendor);
    await decide(vendor, 'Mark Shipped');
    await waitForStatus(vendor, 'Shipped');

    await waitForStatus(buyer, 'Shipped');
    await decide(buyer, 'Confirm Delivery');
    await Promise.all([waitForStatus(buyer, 'Delivered'), waitForStatus(vendor, 'Delivered')]);
    await screenshot(buyer, 'journey-delivered-en-light-1440');
    expect(await lifeOf(world, poNumber)).toEqual(delivered('Fabric is late', 'Agreed'));
  });
});
