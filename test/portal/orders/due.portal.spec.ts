import { describe, expect, it } from '@jest/globals';
import { act } from '../../e2e/world.js';
import { accessibilityViolations } from '../accessibility.js';
import { BOLT, importOrders, rowOf } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

describe('the due date of an order', () => {
  const { visitors, world } = portalTests();

  it('is shown for the own side of the user, in the list and in the order header', async () => {
    const { search, numbers } = await importOrders(world, 1, { ...BOLT, xfd: '2999-03-10' });
    const [poNumber = ''] = numbers;
    const vendor = await (await visitors.visit()).signIn('vendor:BOLT', `/orders?search=${search}`);
    const cell = rowOf(vendor, poNumber).locator('[data-when=later]');
    expect(await cell.innerText()).toMatch(/^Reply \d/);
    const due = await cell.innerText();
    await screenshot(vendor, 'orders-due-en-light-1440');
    await rowOf(vendor, poNumber).getByRole('link').click();
    await vendor
      .locator('#content header')
      .getByText(`Reply due on ${due.replace('Reply ', '')}`)
      .waitFor();
    expect(await accessibilityViolations(vendor)).toEqual([]);
    await screenshot(vendor, 'order-due-en-light-1440');
    const buyer = await (await visitors.visit({ width: 390 })).signIn('buyer', `/orders/${poNumber}`);
    await buyer.locator('#content header').getByText('Ex-factory due on 10 Mar 2999').waitFor();
    await screenshot(buyer, 'order-due-en-light-390');
    await Promise.all([waitUntilLive(vendor), waitUntilLive(buyer)]);
    await act(world.as('vendor:BOLT'), poNumber, 'SUBMIT');
    await buyer
      .locator('#content header')
      .getByText(/^Approval due on/)
      .waitFor();
    await vendor
      .locator('#content header')
      .getByText(/^Ex-factory due on/)
      .waitFor();
  });
});
