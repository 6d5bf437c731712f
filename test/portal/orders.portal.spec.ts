import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { barriers } from './accessibility.js';
import { cursorOf, importOrders, placeOf, rowOf, shown } from './orders-list.js';
import { screenshot } from './screenshots.js';
import { goTo, portalTests, portalUrl } from './visitors.js';

describe('the list of orders', () => {
  const { visitors, world } = portalTests();
  let search: string;
  let numbers: string[];
  beforeAll(async () => {
    ({ search, numbers } = await importOrders(world, 24));
  }, 60_000);

  it('has its filters in the address, and takes each away', async () => {
    const page = await (await visitors.visit()).signIn('buyer', `/orders?search=${search}&status=New,Shipped`);
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await shown(page)).toEqual(numbers.toReversed());
    const bar = page.getByRole('search');
    await bar.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'New' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('No matching order').waitFor();
    await page.getByRole('button', { name: 'Remove filter: Status Shipped' }).click();
    await rowOf(page, numbers[0] as string).waitFor();
    expect(new URL(page.url()).search).toBe(`?search=${search}`);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(portalUrl('/orders'));
    await page.goBack();
    await page.waitForURL(/search=/);
    await eventually('the list is as it was', async () => (await shown(page)).length === numbers.length);
  });

  it('is searched and sorted without a click that reloads it', async () => {
    const page = await (await visitors.visit()).signIn('buyer');
    await page.locator('[data-order]').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(search);
    await eventually('only these are there', async () => (await shown(page)).length === numbers.length);
    await page.keyboard.press('Enter');
    const head = page.getByRole('columnheader', { name: 'Amount' });
    await head.getByRole('button').click();
    await page.waitForURL(/sortField=amount/);
    await eventually('it is sorted', async () => (await head.getAttribute('aria-sort')) === 'ascending');
    await head.getByRole('button').click();
    await page.waitForURL(/sortDir=desc/);
    await page.getByRole('searchbox').or(page.getByLabel('Filter by PO number')).focus();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.search.includes(search));
  });

  it('is gone through, selected and opened by keyboard, and Back brings all of that back', async () => {
    const page = await (await visitors.visit({ height: 700 })).signIn('buyer', `/orders?search=${search}`);
    await rowOf(page, numbers[0] as string).waitFor();
    for (let row = 0; row < numbers.length; row += 1) await page.keyboard.press('j');
    expect(await cursorOf(page)).toBe(numbers[0]);
    await page.keyboard.press('x');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.keyboard.press('Shift+X');
    await eventually('three are selected', async () => (await placeOf(page))[0] === 3);
    await page.getByText('3 selected').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    expect(await barriers(page, '[role=dialog]')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+K');
    await page.keyboard.press('Shift+K');
    await page.keyboard.press('Shift+J');
    await eventually('four are selected', async () => (await placeOf(page))[0] === 4);
    const before = await placeOf(page);
    expect(before[1]).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: numbers[3] as string }).waitFor();
    await page.goBack();
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await placeOf(page)).toEqual(before);
    await page.reload();
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await placeOf(page)).toEqual(before);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await placeOf(page)).toEqual(before);
    await page.keyboard.press('Escape');
    await eventually('nothing is selected', async () => (await placeOf(page))[0] === 0);
  });

  it('has views, given and own ones, which stay with their user', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', `/orders?search=${search}`);
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Waiting for me' }).click();
    await page.waitForURL(/Pending/);
    expect(await views.locator('[aria-current]').allInnerTexts()).toEqual(['Waiting for me']);
    await page.goBack();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Mine');
    expect(await barriers(page, '[role=dialog]')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.reload();
    await views.getByRole('link', { name: 'All', exact: true }).click();
    await views.getByRole('link', { name: 'Mine' }).click();
    await page.waitForURL(new RegExp(search));
    await page.getByRole('button', { name: 'View Mine: rename or delete' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Ours');
    await page.keyboard.press('Enter');
    await views.getByRole('link', { name: 'Ours' }).waitFor();
  });

  it('offers to bring back a view that was deleted, by mouse and by keyboard, where it stood', async () => {
    const page = await (await visitors.visit()).signIn('buyer', '/import');
    const kept = ['First', 'Second', 'Third'].map((name) => ({ name, search: { search: `${search}-${name}` } }));
    const key = 'po.kept:["demo-buyer","orders.views"]';
    await page.evaluate(([at, views]) => localStorage.setItem(at, views), [key, JSON.stringify(kept)] as const);
    await page.goto(portalUrl(`/orders?search=${search}`));
    await rowOf(page, numbers[0] as string).waitFor();
    const bar = page.getByRole('navigation', { name: 'Views' });
    const names = async () => (await bar.getByRole('link').allInnerTexts()).slice(-3);
    const told = page.getByRole('alert').filter({ hasText: 'View “Second” is deleted.' });
    const more = bar.getByRole('button', { name: 'View Second: rename or delete' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    // It stays as long as the pointer is there.
    await told.hover();
    expect(await names()).toEqual(['Changed by vendor', 'First', 'Third']);
    await screenshot(page, 'orders-view-deleted-en-light-1440');
    expect(await barriers(page)).toEqual([]);
    // Also from another page than the list.
    await goTo(page, '/dashboard');
    await told.getByRole('button', { name: 'Undo' }).click();
    await told.waitFor({ state: 'detached' });
    await page.goBack();
    await eventually('it is back', async () => (await names()).join() === 'First,Second,Third');
    await more.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await told.getByRole('button', { name: 'Undo' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await eventually('it is back', async () => (await names()).join() === 'First,Second,Third');
    await told.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('keeps the rows in sight of somebody with as many views as there can be', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', '/import');
    const views = Array.from({ length: 30 }, (_, at) => ({ name: `View ${at + 1}`, search: { search: `v${at}` } }));
    await page.evaluate(
      (kept) => localStorage.setItem('po.kept:["demo-buyer","orders.views"]', kept),
      JSON.stringify(views),
    );
    await page.goto(portalUrl(`/orders?search=${search}`));
    await rowOf(page, numbers[0] as string).waitFor();
    const bar = page.getByRole('navigation', { name: 'Views' });
    expect((await bar.boundingBox())?.height).toBeLessThan(40);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('One more');
    await page.getByRole('dialog').getByText('There are 30 views.').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: '26 more' }).click();
    await page.getByRole('menuitem', { name: 'View 30' }).click();
    await page.waitForURL(/search=v29/);
    expect(await bar.locator('[aria-current]').allInnerTexts()).toEqual(['View 30']);
  });

  it('has the columns that its user chose', async () => {
    const page = await (await visitors.visit()).signIn('buyer', `/orders?search=${search}`);
    const heads = () => page.getByRole('columnheader').allInnerTexts();
    await rowOf(page, numbers[0] as string).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Vendor' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Tracking' }).click();
    expect(await barriers(page, '[role=menu]')).toEqual([]);
    await page.reload();
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await heads()).toEqual(expect.arrayContaining(['Tracking']));
    expect(await heads()).not.toContain('Vendor');
  });

  it('is cards on a phone, which can be selected too', async () => {
    const visitor = await visitors.visit({ width: 390, height: 844 });
    const page = await visitor.signIn('buyer', `/orders?search=${search}`);
    await rowOf(page, numbers[0] as string).waitFor();
    expect(await page.locator('main table').count()).toBe(0);
    await page.getByRole('checkbox', { name: `Select ${numbers[23]}` }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await screenshot(page, 'orders-selected-en-light-390');
    await rowOf(page, numbers[22] as string).click();
    await page.getByRole('heading', { name: numbers[22] as string }).waitFor();
  });
});
