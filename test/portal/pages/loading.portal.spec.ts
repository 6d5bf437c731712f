import { describe, expect, it } from '@jest/globals';
import { countBytes, measure } from '../measurements.js';
import { MENUS, PAGES, openMenu, waitUntilLoaded } from '../pages.js';
import { portalTests, portalUrl } from '../visitors.js';

const BUDGET_BYTES = 235_000;
const MAX_SHIFT = 0.05;

describe('the portal', () => {
  const { visitors } = portalTests();

  it('loads within its budget and without layout shifts', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', '/import');
    const measured = await measure(page);
    // A visitor with a session at the provider, but without cached files.
    const { page: cold } = await visitors.visit({ cookiesOf: visitor });
    const bytes = await countBytes(cold);
    await cold.goto(portalUrl('/orders'));
    await cold.locator('tbody a').first().waitFor();
    const shifted: string[] = [];
    expect(bytes()).toBeGreaterThan(50_000);
    expect(bytes()).toBeLessThanOrEqual(BUDGET_BYTES);
    for (const [name, path, whole] of PAGES.filter(([name]) => name !== 'order-unknown' && name !== 'not-found')) {
      await page.goto(portalUrl(path));
      await waitUntilLoaded(page, whole);
      const { layoutShift } = await measured();
      if (!(layoutShift <= MAX_SHIFT)) shifted.push(`${name}: ${layoutShift}`);
    }
    // A list that no other test changes, because live updates would shift it.
    await page.goto(portalUrl('/orders?search=PO-4500018208'));
    await waitUntilLoaded(page, 'tbody a');
    for (const [name, place] of MENUS) {
      const before = (await measured()).anyShift;
      const opened = await openMenu(page, place);
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'hidden' });
      const shift = (await measured()).anyShift - before;
      if (!(shift <= MAX_SHIFT)) shifted.push(`${name}, opened and closed: ${shift}`);
    }
    expect(shifted).toEqual([]);
  });
});
