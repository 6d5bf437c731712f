import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { act, detailOf } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { accessibilityViolations, isFocusVisible } from '../accessibility.js';
import { cellOf, enter, quantitiesOf } from '../matrix.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests, portalUrl } from '../visitors.js';

const notice = (page: Page) => page.getByRole('region', { name: '您编辑期间的变化' });
const factory = (page: Page) => page.getByLabel('回复工厂');
const container = (page: Page) => page.getByLabel('柜号');
const save = (page: Page) => page.getByRole('button', { name: '保存', exact: true }).click();
const saved = (page: Page) => page.getByRole('button', { name: '放弃' }).waitFor({ state: 'detached' });

describe('two users who edit one order', () => {
  const { visitors, world } = portalTests();
  let poNumber: string;

  const detail = () => detailOf(world.as('vendor:ACME'), poNumber);
  /** Opens a new order as Li Wei. */
  const open = async () => {
    ({ poNumber } = await world.importOrder());
    const visitor = await visitors.visit();
    const page = await visitor.signIn('vendor:ACME', `/orders/${poNumber}`);
    await factory(page).waitFor();
    return { visitor, page };
  };

  it('see and compare the changes of each other and lose nothing', async () => {
    const { page } = await open();
    const other = await (await visitors.visit({ theme: 'dark' })).signIn('vendor:ACME:2', `/orders/${poNumber}`);
    await Promise.all([waitUntilLive(page), waitUntilLive(other)]);
    await factory(page).fill('Hefei');
    await container(page).fill('C-1');
    await enter(page, 0, 0, '11');
    await enter(page, 0, 1, '22');
    await factory(other).fill('Suzhou');
    await enter(other, 0, 0, '99');
    await enter(other, 1, 1, '6');
    await other.getByLabel('运单号').fill('T-2');
    await save(other);
    await notice(page).getByText('Acme Apparel Ltd. 的用户修改了 2 个字段和 2 个单元格').waitFor();
    await notice(page).getByText('双方都修改了：回复工厂、TS-100 · NVY · S。').waitFor();
    expect([await factory(page).inputValue(), await page.getByLabel('运单号').inputValue()]).toEqual(['Hefei', 'T-2']);
    expect(await cellOf(page, 0, 0).innerText()).toContain('11');
    expect(await page.locator('td[data-new]').innerText()).toContain('6');
    expect(await page.getByRole('button', { name: '保存', exact: true }).isDisabled()).toBe(true);
    await cellOf(page, 0, 0).click();
    await page.getByText('已被修改为 99').waitFor();
    await screenshot(page, 'conflict-zh-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
    await notice(page).getByRole('button', { name: '对比' }).click();
    await screenshot(page, 'conflict-compare-zh-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('radio', { name: '“回复工厂”以哪个为准：对方的' }).check();
    expect(await page.getByRole('radio', { name: '“TS-100 · NVY · S”以哪个为准：我的' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: '应用' }).click();
    expect([await notice(page).count(), await page.locator('td[data-new]').count()]).toEqual([0, 0]);
    expect([await factory(page).inputValue(), await container(page).inputValue()]).toEqual(['Suzhou', 'C-1']);
    await save(page);
    await saved(page);
    expect(await detail()).toMatchObject({
      version: 5,
      vendorReplyFactory: 'Suzhou',
      containerNumber: 'C-1',
      trackingNumber: 'T-2',
    });
    expect(await quantitiesOf(world.as('vendor:ACME'), poNumber)).toEqual([[11, 22, 30], [6]]);
    await eventually('the other page shows the container', async () => (await container(other).inputValue()) === 'C-1');
  });

  it.each([
    { width: 390, height: 844 },
    { width: 910, height: 433 },
  ])('see the focus and the end of the page above the notice in a window of $width × $height', async (window) => {
    const lines = Array.from({ length: 12 }, (_, at) => {
      const color = `C${at}`;
      return { lineId: color, code: `A-${color}`, style: 'A', color, size: 'M', sku: '', qty: 10, unitPrice: 12.5 };
    });
    const { poNumber } = await world.importOrder({ lines });
    const page = await (await visitors.visit(window)).signIn('vendor:ACME', `/orders/${poNumber}`);
    await waitUntilLive(page);
    await factory(page).fill('Hefei');
    await world.as('vendor:ACME:2').patch(`/purchase-orders/${poNumber}`, { vendor_reply_factory: 'Suzhou' });
    await notice(page).waitFor();
    const follow = async (key: string, stops: number) => {
      for (let stop = 1; stop <= stops; stop += 1) {
        await page.keyboard.press(key);
        await eventually(`the focus is visible after ${stop} times ${key}`, () => isFocusVisible(page));
      }
    };
    /** Presses a row at the bottom of the window, beside the notice. It must stay under the pointer. */
    const press = async (row: number) => {
      const head = page.locator(`[data-head="${row}"]`).first();
      const before = await head.evaluate((cell) => {
        scrollBy({ top: cell.getBoundingClientRect().bottom - innerHeight, behavior: 'instant' });
        return scrollY;
      });
      await head.hover({ position: { x: 20, y: 20 } });
      await page.mouse.down();
      await cellOf(page, row, 0).and(page.locator(':focus')).waitFor();
      await page.mouse.up();
      expect(await page.evaluate(() => scrollY)).toBe(before);
    };
    await follow('Tab', 25);
    await factory(page).focus();
    await follow('Shift+Tab', 25);
    if (await page.getByRole('grid').isVisible()) {
      await cellOf(page, 0, 0).focus();
      await follow('ArrowDown', 11);
      await follow('ArrowUp', 11);
      await press(3);
    }
    await screenshot(page, `conflict-focus-zh-light-${window.width}`);
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    const [end = Infinity, top] = await notice(page).evaluate((element) => [
      element.parentElement?.previousElementSibling?.lastElementChild?.getBoundingClientRect().bottom,
      element.getBoundingClientRect().top,
    ]);
    expect(end).toBeLessThan(top);
  });

  it('find their unsaved edits after a reload and in another tab, but other users do not', async () => {
    const { page, visitor } = await open();
    await factory(page).fill('Hefei');
    await page.reload();
    await factory(page).waitFor();
    expect(await factory(page).inputValue()).toBe('Hefei');
    const tab = await visitor.openTab();
    await tab.goto(portalUrl(`/orders/${poNumber}`));
    await factory(tab).waitFor();
    expect(await factory(tab).inputValue()).toBe('Hefei');
    await factory(tab).fill('Hefei 2');
    await eventually('both tabs have the edit', async () => (await factory(page).inputValue()) === 'Hefei 2');
    await tab.close();
    await page.getByRole('button', { name: '当前用户：李伟' }).click();
    await page.getByRole('menuitem', { name: '陈瑜' }).click();
    await page.getByRole('button', { name: '当前用户：陈瑜' }).waitFor();
    await factory(page).waitFor();
    expect(await factory(page).inputValue()).toBe('');
    expect((await detail()).version).toBe(1);
  });

  it('can copy or discard their unsaved edits after the order was locked', async () => {
    const { page } = await open();
    await waitUntilLive(page);
    await factory(page).fill('Hefei');
    await act(world.as('vendor:ACME:2'), poNumber, 'SUBMIT');
    await notice(page).getByText('陈瑜修改了 1 个字段').waitFor();
    await page.getByText('订单目前不可编辑').waitFor();
    await page.getByText('Hefei', { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: '放弃' }).click();
    expect(await notice(page).count()).toBe(0);
    expect((await detail()).vendorReplyFactory).toBeNull();
  });
});
