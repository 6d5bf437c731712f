import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from '../accessibility.js';
import { NewUser } from '../new-user.js';
import { importOrders, rowOf } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { goTo, portalTests, portalUrl } from '../visitors.js';

const barOf = (page: Page) => page.getByRole('navigation', { name: 'Views' });
const menuOf = (page: Page, name: string) => barOf(page).getByRole('button', { name: `View ${name}: more` });
/** Names of the saved views in their order. */
const namesOf = async (page: Page) => (await barOf(page).locator('span > a').allInnerTexts()).join();
const openOf = (page: Page) => barOf(page).locator('[aria-current]').allInnerTexts();
const choose = async (page: Page, view: string, item: string) => {
  await menuOf(page, view).click();
  await page.getByRole('menu').getByText(item, { exact: true }).click();
};
const save = async (page: Page, name: string, isShared = false) => {
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  if (isShared) await page.getByRole('dialog').getByLabel('Share', { exact: true }).check();
  await page.keyboard.press('Enter');
  await barOf(page).getByRole('link', { name }).waitFor();
};

describe('views of the order list', () => {
  const { visitors, world } = portalTests();
  let search: string;
  let number: string;
  beforeAll(async () => {
    const imported = await importOrders(world, 1, { vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' } });
    ({ search } = imported);
    number = imported.numbers[0] as string;
  });

  it('are predefined or saved, and saved views appear in another browser', async () => {
    const user = await NewUser.withRightsOf(visitors, 'buyer');
    const page = await user.visit(`/orders?search=${search}`);
    await barOf(page).getByRole('link', { name: 'Waiting for approval' }).click();
    await page.waitForURL(/Pending/);
    await eventually('the view is open', async () => String(await openOf(page)) === 'Waiting for approval');
    await page.goBack();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Mine');
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([]);
    await screenshot(page, 'orders-save-view-en-light-1440');
    await page.keyboard.press('Enter');
    await page.waitForURL(/view=/);
    await eventually('the view is open', async () => String(await openOf(page)) === 'Mine');
    await menuOf(page, 'Mine').click();
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    expect(await accessibilityViolations(page, '[role=menu]')).toEqual([]);
    const other = await user.visit('/orders', { theme: 'dark', width: 360, height: 800 });
    await barOf(other).getByRole('link', { name: 'Mine' }).click();
    await other.waitForURL(new RegExp(search));
    await choose(other, 'Mine', 'Rename or share');
    await other.getByRole('dialog').getByLabel('Name').fill('Ours');
    expect(await accessibilityViolations(other, '[role=dialog]')).toEqual([]);
    await screenshot(other, 'orders-edit-view-en-dark-360');
    await other.keyboard.press('Enter');
    await barOf(other).getByRole('link', { name: 'Ours' }).waitFor();
    expect(await user.names()).toEqual(['Ours']);
  });

  it('that are shared are read-only for colleagues and hidden from other vendors', async () => {
    const owner = await NewUser.withRightsOf(visitors, 'vendor:ACME');
    const colleague = await NewUser.withRightsOf(visitors, 'vendor:ACME:2');
    const stranger = await NewUser.withRightsOf(visitors, 'vendor:BOLT');
    const name = `Shared ${randomUUID().slice(0, 8)}`;
    const page = await owner.visit(`/orders?search=${search}`);
    await page.getByRole('button', { name: '保存视图' }).click();
    await page.getByRole('dialog').getByLabel('名称').fill(name);
    await page.getByRole('dialog').getByLabel('共享', { exact: true }).check();
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name }).waitFor();
    const seen = await colleague.visit('/orders');
    const link = seen.getByRole('link', { name });
    expect(await link.getAttribute('title')).toBe(`${name} – 共享者：${owner.name}`);
    await link.click();
    await rowOf(seen, number).waitFor();
    await seen.getByRole('button', { name: `视图 ${name}：更多操作` }).click();
    await seen.getByRole('menu').getByText(`共享者：${owner.name}`).waitFor();
    expect(await seen.getByRole('menu').getByRole('menuitem').allInnerTexts()).toEqual(['前移', '后移']);
    expect(await accessibilityViolations(seen)).toEqual([]);
    await screenshot(seen, 'orders-shared-view-zh-light-1440');
    const bolt = await stranger.visit('/orders');
    await bolt.locator('[data-order]').first().waitFor();
    await barOf(bolt).getByRole('link', { name: 'Due', exact: true }).waitFor();
    expect(await barOf(bolt).getByRole('link', { name }).count()).toBe(0);
  });

  it('store columns and sorting, and can be updated after a change', async () => {
    const user = await NewUser.withRightsOf(visitors, 'buyer');
    const page = await user.visit(`/orders?search=${search}`);
    const heads = () => page.getByRole('columnheader').allInnerTexts();
    const toggle = async (column: string) => {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: column }).click();
      await page.keyboard.press('Escape');
    };
    const amount = page.getByRole('columnheader', { name: 'Amount' });
    await amount.getByRole('button').click();
    await amount.and(page.locator('[aria-sort=ascending]')).waitFor();
    await toggle('Tracking');
    await page.reload();
    await page.getByRole('columnheader', { name: 'Tracking' }).waitFor();
    await save(page, 'Logistics');
    await toggle('Tracking');
    await barOf(page).getByRole('link', { name: 'Logistics' }).waitFor();
    await toggle('Container');
    await choose(page, 'Logistics', 'Save changes');
    await eventually(
      'the view is saved',
      async () => (await page.getByRole('button', { name: 'Save view' }).count()) === 0,
    );
    const other = await user.visit('/orders');
    await barOf(other).getByRole('link', { name: 'Logistics' }).click();
    await other.waitForURL(/sortField=amount/);
    await eventually('the columns of the view are shown', async () =>
      (await other.getByRole('columnheader').allInnerTexts()).includes('Container'),
    );
    expect(await other.getByRole('columnheader').allInnerTexts()).not.toContain('Tracking');
    await barOf(other).getByRole('link', { name: 'All', exact: true }).click();
    await eventually(
      'the usual columns are shown',
      async () => !(await other.getByRole('columnheader').allInnerTexts()).includes('Container'),
    );
    expect(await heads()).toContain('Container');
  });

  it('that are deleted can be restored in their place by mouse and by keyboard', async () => {
    const user = await NewUser.withRightsOf(visitors, 'buyer');
    await user.store(['1st', '2nd', '3rd']);
    const page = await user.visit(`/orders?search=${search}`);
    await rowOf(page, number).waitFor();
    const notification = page.getByRole('alert').filter({ hasText: 'View “2nd” is deleted.' });
    await choose(page, '2nd', 'Delete');
    // The notification stays while the pointer is on it.
    await notification.hover();
    await eventually('the view is gone', async () => (await namesOf(page)) === '1st,3rd');
    expect(await user.names()).toEqual(['1st', '3rd']);
    await screenshot(page, 'orders-view-deleted-en-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
    // Undo also works on a page other than the list.
    await goTo(page, '/dashboard');
    await notification.getByRole('button', { name: 'Undo' }).click();
    await notification.waitFor({ state: 'detached' });
    await page.goBack();
    await eventually('the view is back', async () => (await namesOf(page)) === '1st,2nd,3rd');
    await menuOf(page, '2nd').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename or share' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await notification.getByRole('button', { name: 'Undo' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await eventually('the view is back', async () => (await namesOf(page)) === '1st,2nd,3rd');
    await notification.waitFor({ state: 'detached' });
    await eventually('the order of the views is stored', async () => String(await user.names()) === '1st,2nd,3rd');
  });

  it('keep the order that their user chose by menu and by mouse', async () => {
    const user = await NewUser.withRightsOf(visitors, 'buyer');
    await user.store(['1st', '2nd', '3rd']);
    const page = await user.visit(`/orders?search=${search}`);
    await menuOf(page, '3rd').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move up' }).press('Enter');
    await eventually('the view is moved', async () => (await namesOf(page)) === '1st,3rd,2nd');
    await barOf(page).getByText('View 3rd is now 2 of 3.').waitFor({ state: 'attached' });
    await menuOf(page, '3rd').and(page.locator(':focus')).waitFor();
    await barOf(page)
      .getByRole('link', { name: '2nd' })
      .dragTo(barOf(page).getByRole('link', { name: '1st' }));
    await eventually('the view is moved', async () => (await namesOf(page)) === '2nd,1st,3rd');
    await page.reload();
    await eventually('the order is kept', async () => (await namesOf(page)) === '2nd,1st,3rd');
  });

  it('stay reachable if one of them opens by default', async () => {
    const user = await NewUser.withRightsOf(visitors, 'buyer');
    await user.store([search]);
    const page = await user.visit('/orders');
    await choose(page, search, 'Open by default');
    await page.goto(portalUrl('/orders'));
    await page.waitForURL(/view=.*search=|search=.*view=/);
    await rowOf(page, number).waitFor();
    await eventually('the default view is open', async () => String(await openOf(page)) === search);
    await barOf(page).getByRole('link', { name: 'All', exact: true }).click();
    await page.waitForURL(portalUrl('/orders?view=all'));
    await page.reload();
    await page.locator('[data-order]').first().waitFor();
    expect(await openOf(page)).toEqual(['All']);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await rowOf(page, number).waitFor();
    await eventually('the default view is open', async () => String(await openOf(page)) === search);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(portalUrl('/orders?view=all'));
    // A deleted default view is not opened.
    await choose(page, search, 'Delete');
    await page.goto(portalUrl('/orders'));
    await page.locator('[data-order]').first().waitFor();
    expect(await openOf(page)).toEqual(['All']);
  });

  it('are limited to 50, and the rows stay visible', async () => {
    const user = await NewUser.withRightsOf(visitors, 'buyer');
    await user.store(Array.from({ length: 50 }, (_, at) => `View ${at + 1}`));
    const page = await user.visit(`/orders?search=${search}`);
    await rowOf(page, number).waitFor();
    expect((await barOf(page).boundingBox())?.height).toBeLessThan(40);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('One more');
    await page.getByRole('dialog').getByText('You have 50 views.').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await barOf(page).getByRole('button', { name: '46 more' }).click();
    await page.getByRole('menuitem', { name: 'View 49' }).click();
    await page.waitForURL((url) => url.searchParams.get('search') === 'View 49');
    await eventually('the view is open', async () => String(await openOf(page)) === 'View 49');
  });
});
