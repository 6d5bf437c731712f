import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import type { Locator, Page } from 'playwright-core';
import { accessibilityTree } from '../accessibility-tree.js';
import { enter } from '../matrix.js';
import { NewVendor } from '../new-vendor.js';
import { waitUntilLive, portalTests, portalUrl } from '../visitors.js';
import { rolesOf, untranslated } from './translated.js';

/** The reviewed English tree; WRITE_NAMES=1 npm run test:portal -- accessible-names writes it. */
const fileOf = (view: string) => fileURLToPath(new URL(`${view}.en.txt`, import.meta.url));
/** An ex-factory date in ninety days, so that the order is never overdue. */
const later = () => new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
const TEXTS = {
  en: {
    user: 'vendor:BOLT',
    notice: 'What changed in the meantime',
    compare: 'Compare',
    factory: 'Reply factory',
    bell: 'Notifications, 1 unread',
  },
  zh: { user: 'vendor:ACME', notice: '您编辑期间的变化', compare: '对比', factory: '回复工厂', bell: '通知，1 条未读' },
} as const;

/** Replaces what differs between runs: order numbers, user names, days and times. */
const steady = (text: string): string =>
  text
    .replaceAll(/E2E-[0-9A-F-]{18}/g, 'PO')
    .replaceAll(/NEW-[0-9A-F]{8}/g, 'NEW')
    .replaceAll(
      /\b\d{1,2} (Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*( \d{4})?(, \d{2}:\d{2})?/g,
      'DAY',
    )
    .replaceAll(/\b([Tt]oday|[Yy]esterday)\b/g, 'DAY')
    .replaceAll(/\bin \d+ days\b/g, 'in N days')
    .replaceAll(/(\d{4}年)?\d{1,2}月\d{1,2}日( \d{2}:\d{2})?/g, 'DAY')
    .replaceAll(/\bnow\b|\d+ (second|minute)s? ago|现在|\d+(秒钟|分钟)前/g, 'AGO');

describe.each(['en', 'zh'] as const)('the accessible names in %s', (language) => {
  const { visitors, world } = portalTests();
  const texts = TEXTS[language];
  let vendor: NewVendor;
  let page: Page;

  beforeEach(async () => {
    vendor = new NewVendor();
    page = await vendor.signIn(await visitors.visit({ language }), texts.user, '/orders');
    await vendor.isInDirectory();
    await waitUntilLive(page);
  });

  const order = () => world.importOrder({ vendor: vendor.company, xfd: later() });
  /** Waits for the notification of the new order, which comes after the records of concurrent tests. */
  const bell = async () => {
    const button = page.getByRole('button', { name: texts.bell });
    await button.waitFor();
    return button;
  };
  /** The current and the reviewed tree. In Chinese only roles and untranslated words are compared. */
  const names = async (view: string, part: Locator) => {
    const file = fileOf(view);
    const found = steady(await accessibilityTree(part));
    if (language === 'en' && process.env.WRITE_NAMES) await writeFile(file, found);
    const reviewed = await readFile(file, 'utf8');
    if (language === 'en') return { found, reviewed };
    return {
      found: { roles: rolesOf(found), untranslated: untranslated(found) },
      reviewed: { roles: rolesOf(reviewed), untranslated: [] },
    };
  };
  const open = async (poNumber: string) => {
    await page.goto(portalUrl(`/orders/${poNumber}`));
    await page.locator('[role=grid] tfoot').waitFor();
    await waitUntilLive(page);
  };

  it('of the order list match the reviewed tree', async () => {
    const { poNumber } = await order();
    await page.goto(portalUrl('/orders'));
    await page.locator(`[data-order="${poNumber}"]`).waitFor();
    await waitUntilLive(page);
    await bell();
    const orders = await names('orders', page.locator('body'));
    expect(orders.found).toEqual(orders.reviewed);
  });

  it('of the quantities of an order match the reviewed tree', async () => {
    const { poNumber } = await order();
    await open(poNumber);
    await enter(page, 0, 0, '12');
    await page.locator('[data-unsaved]').first().waitFor();
    const matrix = await names('matrix', page.locator('#content'));
    expect(matrix.found).toEqual(matrix.reviewed);
  });

  it('of a conflict and its comparison match the reviewed trees', async () => {
    const { poNumber } = await order();
    const imported = Date.now();
    await open(poNumber);
    await page.getByLabel(texts.factory).fill('Hefei');
    // A change within a second of an action counts as part of that action.
    await eventually('the import was earlier', () => Date.now() > imported + 1_500);
    const colleague = await vendor.colleague();
    await colleague.patch(`/purchase-orders/${poNumber}`, { vendor_reply_factory: 'Suzhou' });
    const notice = page.getByRole('region', { name: texts.notice });
    await notice.waitFor();
    const conflict = await names('conflict', notice);
    expect(conflict.found).toEqual(conflict.reviewed);
    await notice.getByRole('button', { name: texts.compare }).click();
    await page.getByRole('dialog').getByRole('radio').first().waitFor();
    const compare = await names('compare', page.getByRole('dialog'));
    expect(compare.found).toEqual(compare.reviewed);
  });

  it('of the bell match the reviewed tree', async () => {
    await order();
    await (await bell()).click();
    await page.getByRole('dialog').locator('li').first().waitFor();
    const list = await names('bell', page.getByRole('dialog'));
    expect(list.found).toEqual(list.reviewed);
  });
});
