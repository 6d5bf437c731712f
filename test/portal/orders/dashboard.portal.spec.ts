import { describe, expect, it } from '@jest/globals';
import type { Kpis, PurchaseOrderList, Schedule } from '@po/contracts';
import type { Locator, Page } from 'playwright-core';
import { act } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { accessibilityViolations } from '../accessibility.js';
import { Keyboard } from '../keyboard.js';
import { measure } from '../measurements.js';
import { NewVendor } from '../new-vendor.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The number on the tile with this name. */
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
/** Number of orders per week. */
const weeksOf = (page: Page) =>
  page.locator('[data-week] b').evaluateAll((cells) => cells.map((cell) => Number(cell.textContent)));
const whole = async (page: Page) => {
  await waitUntilLive(page);
  await page.locator('main [data-week]').first().waitFor();
  await page.locator('main [aria-busy]').first().waitFor({ state: 'detached' });
};

const expectCalm = async (when: string, measured: Awaited<ReturnType<typeof measure>>) => {
  const { layoutShift } = await measured();
  if (!(layoutShift < 0.05)) throw new Error(`the dashboard shifts by ${layoutShift} ${when}`);
};

describe('the dashboard', () => {
  const { visitors, world } = portalTests();

  it('shows the numbers of the API, each with a link to the orders that it counts', async () => {
    const visitor = await visitors.visit();
    const measured = await measure(visitor.page);
    const page = await visitor.signIn('buyer', '/dashboard');
    await whole(page);
    await expectCalm('loaded', measured);
    const buyer = world.as('buyer');
    // Other tests may change orders at the same time; the page and the API both follow.
    const schedule = await eventually('the page shows the numbers of the API', async () => {
      const { body: kpis } = await buyer.get<Kpis>('/dashboard/kpis');
      const { body } = await buyer.get<Schedule>('/dashboard/schedule');
      const expected = [kpis.pending, body.overdueTotal, ...body.weeks.map(({ orders }) => orders)];
      const seen = [await tile(page, 'Waiting for approval'), await tile(page, 'Overdue'), ...(await weeksOf(page))];
      for (const [key, number] of Object.entries(kpis)) {
        expected.push(number);
        seen.push(await numberOf(page, key));
      }
      return JSON.stringify(expected) === JSON.stringify(seen) && body;
    });

    const [late] = schedule.overdue;
    const ways: [go: Locator, query: string][] = [
      [page.getByRole('link', { name: 'Waiting for approval' }), 'status=Pending%20Approval'],
      [bar(page, 'shipped'), 'status=Shipped'],
      [bar(page, late?.vendorCode ?? ''), `overdue=true&vendor=${late?.vendorCode}`],
    ];
    const totalOf = async (query: string) =>
      (await buyer.get<PurchaseOrderList>(`/purchase-orders?limit=1&${query}`)).body.pagination.total;
    // Again if other tests change the total on the way: a list keeps the total that it was loaded with.
    for (const [link, query] of ways)
      await eventually(`the list has the total of ${query}`, async () => {
        const before = await totalOf(query);
        await link.click();
        await page.locator('tbody [data-order]').first().waitFor();
        const shown = Number.parseInt(await page.getByText(/^\d+ in total$/).innerText());
        const after = await totalOf(query);
        await page.goBack();
        await whole(page);
        return shown === before || shown === after;
      });
  });

  it('follows the actions of other users and shows who acted', async () => {
    const vendor = new NewVendor();
    const { poNumber } = await world.importOrder({ vendor: vendor.company, xfd: inDays(-20) });
    await world.importOrder({ vendor: vendor.company, xfd: inDays(30) });
    const visitor = await visitors.visit();
    const measured = await measure(visitor.page);
    const page = await vendor.signIn(visitor, 'vendor:CRANE');
    await whole(page);
    const numbers = async () => [
      await tile(page, 'Waiting for me'),
      await tile(page, 'Overdue'),
      await numberOf(page, 'pending'),
      (await weeksOf(page)).reduce((sum, orders) => sum + orders, 0),
    ];
    await eventually('both orders are counted', async () => JSON.stringify(await numbers()) === '[2,1,0,1]');
    const colleague = await vendor.colleague();
    await colleague.patch(`/purchase-orders/${poNumber}`, { vendor_reply_xfd: inDays(10) });
    await act(colleague, poNumber, 'SUBMIT', 'Dyed again, ten more days');
    const entry = page.locator('[data-entry][data-new]').filter({ hasText: poNumber });
    await entry.getByText('Dyed again, ten more days').waitFor();
    expect(await entry.innerText()).toMatch(/Submit\s+Pending Approval/);
    await eventually('all parts are updated', async () => JSON.stringify(await numbers()) === '[1,0,1,2]');
    await expectCalm('live', measured);
    await screenshot(page, 'dashboard-live-en-light-1440');

    // The feed does not move while the user reads it.
    await entry.hover();
    await act(world.as('admin'), poNumber, 'APPROVE');
    const more = page.getByRole('button', { name: '1 new' });
    await more.waitFor();
    expect(await page.locator('[data-entry]').first().innerText()).toContain('Submit');
    // The pointer leaves the feed on its way to the button.
    await more.hover();
    expect(await page.locator('[data-entry]').first().innerText()).toContain('Submit');
    await more.click();
    await page.locator('[data-entry]').first().getByText('Approve', { exact: true }).waitFor();
    await entry.last().getByRole('link', { name: poNumber }).click();
    await page.waitForURL(`**/orders/${poNumber}#entry-*`);
  });

  it('works by keyboard alone', async () => {
    const page = await (await visitors.visit({ theme: 'dark' })).signIn('buyer', '/dashboard');
    await whole(page);
    expect(await accessibilityViolations(page)).toEqual([]);
    await new Keyboard(page).tabTo(page.locator('main a[href^="/orders?overdue=true"]').first());
    await page.keyboard.press('Enter');
    await page.waitForURL('**/orders?overdue=true*');
  });

  it('of a new vendor is empty at first and later shows only its own orders', async () => {
    const vendor = new NewVendor();
    const page = await vendor.signIn(await visitors.visit(), 'vendor:ACME');
    for (const text of ['暂无订单', '暂无离厂安排', '没有逾期订单', '暂无动态'])
      await page.getByText(text, { exact: true }).waitFor();
    expect([await tile(page, '待我处理'), await tile(page, '逾期')]).toEqual([0, 0]);
    await screenshot(page, 'dashboard-empty-zh-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await screenshot(page, 'dashboard-empty-zh-light-390');

    await waitUntilLive(page);
    const { poNumber } = await world.importOrder({ vendor: vendor.company, xfd: inDays(-3) });
    const late = page.getByRole('list', { name: '逾期订单' }).getByRole('link');
    await late.waitFor();
    const numbers = async () => [await tile(page, '待我处理'), await tile(page, '逾期'), await late.count()];
    await eventually('all parts show the order', async () => JSON.stringify(await numbers()) === '[1,1,1]');
    // Four days if the test runs over midnight.
    const overdue = expect.stringMatching(/^逾期[34]天$/);
    expect((await late.innerText()).split(/\s+/)).toEqual(expect.arrayContaining([poNumber, '新订单', overdue]));
    await act(world.as('admin'), poNumber, 'CANCEL', '季节结束');
    await page.locator('[data-entry]').getByText('季节结束').waitFor();
    expect(await page.locator('[data-entry]').count()).toBe(1);
    await page.getByText('没有逾期订单').waitFor();
  });
});
