import { describe, expect, it } from '@jest/globals';
import type { ApprovalPolicy } from '@po/contracts';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import type { Page } from 'playwright-core';
import { act, detailOf } from '../../e2e/world.js';
import { accessibilityViolations } from '../accessibility.js';
import { waitForStatus, dialog, head } from '../journey.js';
import { Keyboard } from '../keyboard.js';
import { NewVendor } from '../new-vendor.js';
import { importOrders } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { goTo, portalTests } from '../visitors.js';

/** Allows a date up to a week later and no other difference. */
const WEEK_LATER = { ...NO_DIFFERENCE, maxDaysLater: 7 };
const XFD = '2027-03-01';
const WITHIN = '2027-03-08';
const OUTSIDE = '2027-03-09';

const path = ({ code }: NewVendor) => `/approval-policies/${code}`;
const card = (page: Page, { code }: NewVendor) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: code }) });
const latestStep = (page: Page) => page.locator('ol > li').first();
const submit = async (page: Page) => {
  await head(page).getByRole('button', { name: 'Submit' }).click();
  await dialog(page).getByRole('button', { name: 'Submit', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
};

describe('approval policies', () => {
  const { visitors, world } = portalTests();
  const admin = world.as('admin');
  const stored = async ({ code }: NewVendor) => {
    const { body } = await admin.get<ApprovalPolicy[]>('/approval-policies');
    return body.find(({ vendorCode }) => vendorCode === code);
  };

  it('are written by an administrator by keyboard, with a preview on past submissions', async () => {
    const vendor = new NewVendor();
    const { poNumber } = await world.importOrder({ vendor: vendor.company, xfd: XFD });
    const colleague = await vendor.colleague();
    await colleague.patch(`/purchase-orders/${poNumber}`, { vendor_reply_xfd: WITHIN });
    await act(colleague, poNumber, 'SUBMIT');
    const visitor = await visitors.visit();
    const keyboard = await Keyboard.signIn(visitor, 'admin');
    const { page } = visitor;
    await keyboard.tabTo(page.getByRole('button', { name: /^Signed in as/ }));
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Approval policies' }).focus();
    await keyboard.press('Enter');
    const add = page.getByRole('button', { name: 'Add a policy' });
    await add.waitFor();
    await keyboard.tabTo(add);
    await keyboard.press('Enter');
    const company = dialog(page).getByRole('combobox', { name: 'Vendor' });
    await company.waitFor();
    await company.focus();
    await keyboard.type(vendor.code);
    await page.getByRole('option', { name: vendor.company.name }).waitFor();
    await keyboard.press('ArrowDown', 'Enter');
    await dialog(page).getByText(`Vendor code: ${vendor.code}`).waitFor();
    const preview = dialog(page).getByRole('status');
    await preview.getByText('Submissions checked: 1. Approved: 0.').waitFor();
    const days = dialog(page).getByLabel('Days later');
    await keyboard.tabTo(days);
    await days.press('Control+a');
    await keyboard.type('7.5');
    await dialog(page).getByText('Enter a whole number.').waitFor();
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([]);
    await screenshot(page, 'approval-policies-wrong-en-light-1440');
    await days.press('Control+a');
    await keyboard.type('7');
    await preview.getByText('Submissions checked: 1. Approved: 1.').waitFor();
    await keyboard.press('Enter');
    await card(page, vendor).getByText('up to 7 days later').waitFor();
    await page.getByText(`Policy saved: ${vendor.code}`).waitFor();
    expect(await stored(vendor)).toMatchObject({ ...WEEK_LATER, version: 1 });
    // Earlier submissions keep waiting.
    expect((await detailOf(admin, poNumber)).status).toBe('Pending Approval');
  });

  it('immediately approve only submissions within their limits, which the vendor cannot see', async () => {
    const vendor = new NewVendor();
    await admin.put(path(vendor), WEEK_LATER);
    const { numbers } = await importOrders(world, 2, { vendor: vendor.company, xfd: XFD });
    const [within = '', outside = ''] = numbers;
    const colleague = await vendor.colleague();
    await colleague.patch(`/purchase-orders/${within}`, { vendor_reply_xfd: WITHIN });
    await colleague.patch(`/purchase-orders/${outside}`, { vendor_reply_xfd: OUTSIDE });
    const visitor = await visitors.visit();
    visitor.expect(/status of 403/);
    const page = await vendor.signIn(visitor, 'vendor:CRANE', `/orders/${within}`);
    await submit(page);
    await page.getByText('It was approved automatically.').waitFor();
    await waitForStatus(page, 'Confirmed');
    await latestStep(page).getByText('Automatic', { exact: true }).waitFor();
    await latestStep(page).getByText(`Approval policy ${vendor.code}, version 1`).waitFor();
    expect(await latestStep(page).getByRole('link').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'order-automatic-en-light-1440');
    await goTo(page, `/orders/${outside}`);
    await submit(page);
    await waitForStatus(page, 'Pending Approval');
    expect(await page.locator('ol').getByText('Automatic').count()).toBe(0);

    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Preferences' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Approval policies' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('policies');
    await page.getByText('No matching orders').waitFor();
    expect(await page.getByRole('dialog').getByText('Approval policies').count()).toBe(0);
    await page.keyboard.press('Escape');
    await goTo(page, '/approval-policies');
    await page.getByRole('alert').getByText('You have no access to this').waitFor();
    expect(await page.getByRole('main').getByText(vendor.code).count()).toBe(0);

    const buyer = await (await visitors.visit({ theme: 'dark' })).signIn('buyer', `/orders/${within}`);
    await latestStep(buyer)
      .getByRole('link', { name: `Approval policy ${vendor.code}` })
      .click();
    await card(buyer, vendor).getByText('up to 7 days later').waitFor();
    expect(await card(buyer, vendor).evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await buyer.getByRole('button', { name: /^(Add|Change|Delete)/ }).count()).toBe(0);
    await goTo(buyer, '/dashboard');
    await buyer.getByRole('link', { name: /^Approvals in the last 30 days: [\d,]+, \d+% automatic$/ }).waitFor();
    await screenshot(buyer, 'dashboard-automatic-en-dark-1440');
  });
});
