import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Key } from 'selenium-webdriver';
import { eventually } from '@po/testing/eventually';
import { act, openWorld } from '../e2e/world.js';
import { BUYER, delivered, importFor, lifeOf } from '../portal/journey.js';
import { PAGES } from '../portal/pages.js';
import { portalUrl } from '../portal/visitors.js';
import { type Visit, WebKit } from './webkit.js';

/** The first run downloads the browser. */
const FETCH_MS = 15 * 60_000;
const HEAD = '#content header';

describe('the portal in WebKit', () => {
  const world = openWorld();
  let webkit: WebKit;
  let visit: Visit;
  // Each test gets a new driver, because a driver that is still closing a browser may never answer a request for another.
  beforeEach(async () => {
    webkit = await WebKit.start();
    visit = await webkit.open();
  }, FETCH_MS);
  afterEach(() => webkit?.stop());

  /** Executes an action on the open order, with an optional comment. */
  async function decide(action: string, becomes: string, comment?: string): Promise<void> {
    await visit.clickNamed('button', action);
    await visit.find('[role=dialog]');
    if (comment !== undefined) {
      await visit.clickNamed('label', /^Comment/);
      await visit.type(comment);
    }
    await visit.clickNamed('button', action);
    await visit.isGone('[role=dialog]');
    await visit.shows(HEAD, becomes);
  }

  it('lets a vendor take an order from New to Delivered, and immediately shows the actions of the buyer', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    const buyer = world.as(BUYER);
    await visit.signIn('vendor:BOLT');
    await visit.click('input[aria-label^="Filter by PO number"]');
    await visit.type(poNumber);
    await visit.click(`[data-order="${poNumber}"] td:nth-of-type(4)`);
    await visit.shows(HEAD, 'New');

    await visit.clickNamed('label', /^Reply ex-factory/);
    await visit.clickNamed('button', '15 March 2027');
    await visit.clickNamed('label', /^Reply factory/);
    await visit.type('Hefei 9');
    await visit.click('[data-row="0"][data-column="1"]');
    await visit.type(`24${Key.ENTER}`);
    await visit.clickNamed('button', 'Save');
    await visit.isGone('[data-unsaved]');
    await visit.driver.navigate().refresh();
    await visit.shows('[data-row="0"][data-column="1"]', '24');
    await decide('Submit', 'Pending Approval', 'Fabric is late');

    await act(buyer, poNumber, 'APPROVE', 'Agreed');
    await visit.shows(HEAD, 'Confirmed');
    await decide('Move to Production', 'In Production');
    await visit.clickNamed('label', /^Container/);
    await visit.type('MSKU 1234567');
    await visit.clickNamed('button', 'Save');
    await visit.shows('[role=status]', 'Saved');
    await decide('Mark Shipped', 'Shipped');
    await act(buyer, poNumber, 'CONFIRM_DELIVERY');
    await visit.shows(HEAD, 'Delivered');
    await visit.screenshot('delivered');
    expect(await lifeOf(world, poNumber)).toEqual(delivered('Fabric is late', 'Agreed'));
  });

  it('downloads the spreadsheet of an order', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    await visit.signIn('vendor:BOLT');
    await visit.driver.get(portalUrl(`/orders/${poNumber}`));
    await visit.clickNamed('button', 'Spreadsheet');
    await visit.click('[role=menuitem]');
    const isComplete = async () => (await readdir(webkit.home)).includes(`${poNumber}.xlsx`);
    await eventually('the file is complete', isComplete);
  });

  it.each([
    { user: 'buyer', language: 'en', theme: 'light' },
    { user: 'vendor:ACME', language: 'zh-CN', theme: 'dark' },
  ] as const)(
    'shows every page completely, without overflow or accessibility barriers: $language, $theme',
    async ({ user, language, theme }) => {
      await visit.signIn(user);
      await visit.driver.executeScript(`localStorage.setItem('po.theme', '${theme}')`);
      const found: string[] = [];
      for (const [name, path, whole] of PAGES) {
        await visit.driver.get(portalUrl(path));
        await visit.find(whole);
        await visit.isGone('[role=status][aria-busy]');
        const spoken = await visit.driver.executeScript('return document.documentElement.lang');
        if (name !== 'signed-out' && spoken !== language) found.push(`${name} is in ${String(spoken)}`);
        await visit.screenshot(`${name}-${language}-${theme}`);
        if ((await visit.overflow()) > 0) found.push(`${name} is wider than its window`);
        found.push(...(await visit.accessibilityViolations()).map((barrier) => `${name}: ${barrier}`));
      }
      expect(found).toEqual([]);
    },
  );
});
