import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Kpis, PurchaseOrderList, Schedule } from '@po/contracts';
import type { Page } from 'playwright-core';
import { demoToken } from '../../deploy/local/stack/demo-token.js';
import { loadKeys } from '../../deploy/local/stack/keys.js';
import { type World, act, openWorld } from '../e2e/world.js';
import { eventually } from '../support/eventually.js';
import { readStack, stackFolder } from '../support/stack.js';
import { barriers } from './accessibility.js';
import { measure, tell } from './measurements.js';
import { screenshot } from './screenshots.js';
import { Visitors } from './visitors.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The number of a tile, by its name. */
const tile = async (page: Page, name: string): Promise<number> => {
  const text = await page
    .locator('main ul')
    .filter({ hasNot: page.locator('[data-bar]') })
    .getByRole('link', { name })
    .first()
    .innerText();
  return Number(/\d+$/.exec(text.replaceAll(',', ''))?.[0]);
};
const bar = (page: Page, key: string) => page.locator(`[data-bar="${key}"]`);
const numberOf = async (page: Page, key: string) =>
  Number(/(\d+)(?: [\d,]+ pcs)?$/.exec((await bar(page, key).innerText()).replaceAll(/\s+/g, ' '))?.[1]);
/** The orders of each week, as the chart's table tells them. */
const weeksOf = (page: Page) =>
  page.locator('[data-week] td:first-of-type').evaluateAll((cells) => cells.map((cell) => Number(cell.textContent)));
const whole = async (page: Page) => {
  await page.locator('[data-live="on"]').waitFor();
  await page.locator('main svg[role=application]').waitFor();
  await page.locator('main [aria-busy]').first().waitFor({ state: 'detached' });
};

/** Whoever is signed in is a user of this vendor for the API. */
async function asVendor(page: Page, code: string): Promise<void> {
  const { issuer, audience } = readStack();
  const { identity: key } = await loadKeys(stackFolder());
  const claims = { sub: code, vendor_code: code };
  const token = await demoToken({ key, issuer, audience }, 'vendor:ACME', claims);
  await page.route('**/api/**', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-user-token': token } }),
  );
}

describe('the dashboard', () => {
  const visitors = new Visitors();
  let world: World;
  beforeAll(() => {
    world = openWorld();
  });
  afterEach(() => visitors.leave());
  afterAll(() => visitors.close());

  it('has the numbers of the API, each of which leads to the orders that it counts', async () => {
    const page = await (await visitors.visit()).signIn('buyer', '/dashboard');
    await whole(page);
    const buyer = world.as('buyer');
    const { body: kpis } = await buyer.get<Kpis>('/dashboard/kpis');
    const { body: schedule } = await buyer.get<Schedule>('/dashboard/schedule');
    expect([await tile(page, 'Waiting for me'), await tile(page, 'Late')]).toEqual([
      kpis.pending,
      schedule.overdueTotal,
    ]);
    for (const [key, number] of Object.entries(kpis)) expect([key, await numberOf(page, key)]).toEqual([key, number]);
    expect(await weeksOf(page)).toEqual(schedule.weeks.map(({ orders }) => orders));
    for (const { vendorCode, orders } of schedule.overdue) expect(await numberOf(page, vendorCode)).toBe(orders);

    const [late] = schedule.overdue;
    const ways: [go: () => Promise<void>, query: string][] = [
      [() => page.getByRole('link', { name: 'Waiting for me' }).click(), 'status=Pending%20Approval'],
      [() => bar(page, 'shipped').click(), 'status=Shipped'],
      [() => bar(page, late?.vendorCode ?? '').click(), `overdue=true&vendor=${late?.vendorCode}`],
    ];
    for (const [go, query] of ways) {
      await go();
      await page.locator('tbody [data-order]').first().waitFor();
      const { body } = await buyer.get<PurchaseOrderList>(`/purchase-orders?limit=1&${query}`);
      await page.getByText(`${body.pagination.total} in total`).waitFor();
      await page.goBack();
      await whole(page);
    }
  });

  it('moves with what others do, and shows who did it', async () => {
    const [soon, later] = [inDays(-20), inDays(10)];
    const { poNumber } = await world.importOrder({ xfd: soon });
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', '/dashboard');
    await whole(page);
    const measured = await measure(page);
    await page.reload();
    await whole(page);
    const [waiting, late, pending] = [
      await tile(page, 'Waiting for me'),
      await tile(page, 'Late'),
      await numberOf(page, 'pending'),
    ];
    const weeks = await weeksOf(page);
    const acme = world.as('vendor:ACME');
    await acme.patch(`/purchase-orders/${poNumber}`, { vendor_reply_xfd: later });
    await act(acme, poNumber, 'SUBMIT', 'Dyed again, ten more days');
    const entry = page.locator('[data-entry][data-new]').filter({ hasText: poNumber });
    await entry.getByText('Dyed again, ten more days').waitFor();
    expect(await entry.innerText()).toMatch(/Submit\s+Pending Approval/);
    await eventually('all parts have moved', async () => {
      const now = [await tile(page, 'Waiting for me'), await tile(page, 'Late'), await numberOf(page, 'pending')];
      return JSON.stringify(now) === JSON.stringify([waiting + 1, late - 1, pending + 1]);
    });
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    expect(sum(await weeksOf(page))).toBe(sum(weeks) + 1);
    const { layoutShift } = await measured();
    tell(`the dashboard, loaded and live: layout shift ${layoutShift.toFixed(3)}`);
    expect(layoutShift).toBeLessThan(0.05);
    await screenshot(page, 'dashboard-live-en-light-1440');

    // What one reads stays where it is until one is done.
    await entry.hover();
    await act(world.as('admin'), poNumber, 'APPROVE');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await page.locator('[data-entry]').first().innerText()).toContain('Submit');
    await page.getByRole('button', { name: '1 new' }).click();
    await page.locator('[data-entry]').first().getByText('Approve', { exact: true }).waitFor();
    await entry.last().getByRole('link', { name: poNumber }).click();
    await page.waitForURL(`**/orders/${poNumber}#entry-*`);
  });

  it('can be used by the keyboard alone, and its chart be read', async () => {
    const page = await (await visitors.visit({ theme: 'dark' })).signIn('buyer', '/dashboard');
    await whole(page);
    const chart = page.locator('main svg[role=application]');
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    const tip = page.locator('.recharts-tooltip-wrapper');
    await tip.getByText('Pieces').waitFor();
    await screenshot(page, 'dashboard-chart-en-dark-1440');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toMatch(/^\/orders\?overdue=true/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/orders?overdue=true*');
  });

  it('of a new vendor is empty, and then has its own orders alone', async () => {
    const code = `NEW-${randomUUID().slice(0, 8).toUpperCase()}`;
    const company = { code, name: `${code} Ltd.` };
    const visitor = await visitors.visit({ language: 'zh' });
    await asVendor(visitor.page, code);
    const page = await visitor.signIn('vendor:ACME', '/dashboard');
    for (const text of ['暂无订单', '暂无离厂安排', '没有逾期订单', '暂无动态'])
      await page.getByText(text, { exact: true }).waitFor();
    expect([await tile(page, '待我处理'), await tile(page, '逾期')]).toEqual([0, 0]);
    await screenshot(page, 'dashboard-empty-zh-light-1440');
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await screenshot(page, 'dashboard-empty-zh-light-390');

    await page.locator('[data-live="on"]').waitFor();
    const { poNumber } = await world.importOrder({ vendor: company, xfd: inDays(-3) });
    const late = page.getByRole('list', { name: '逾期订单' }).getByRole('link');
    await late.waitFor();
    expect([await tile(page, '待我处理'), await tile(page, '逾期'), await late.count()]).toEqual([1, 1, 1]);
    expect((await late.innerText()).split(/\s+/)).toEqual(expect.arrayContaining([poNumber, '新订单', '逾期', '3天']));
    await act(world.as('admin'), poNumber, 'CANCEL', '季节结束');
    await page.locator('[data-entry]').getByText('季节结束').waitFor();
    expect(await page.locator('[data-entry]').count()).toBe(1);
    await page.getByText('没有逾期订单').waitFor();
  });

  it('says which part is missing, and has it when that is tried again', async () => {
    const visitor = await visitors.visit();
    visitor.expect(/ERR_FAILED/);
    const { page } = visitor;
    await page.route('**/api/dashboard/schedule', (route) => route.abort());
    await visitor.signIn('buyer', '/dashboard');
    const weeks = page.locator('section').filter({ hasText: 'next 12 weeks' });
    await weeks.getByRole('alert').waitFor();
    expect(await numberOf(page, 'new')).toBeGreaterThan(0);
    expect(await page.getByRole('link', { name: 'Late' }).first().innerText()).toMatch(/–$/);
    await screenshot(page, 'dashboard-problem-en-light-1440');
    expect(await barriers(page)).toEqual([]);
    await page.unroute('**/api/dashboard/schedule');
    await weeks.getByRole('button', { name: 'Try again' }).click();
    await whole(page);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
