import { describe, expect, it } from '@jest/globals';
import { linesOf } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { accessibilityViolations } from '../accessibility.js';
import { cellOf, openMatrix, quantitiesOf, save } from '../matrix.js';
import { measure } from '../measurements.js';
import { BOLT } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { portalTests } from '../visitors.js';

const VENDOR = 'vendor:BOLT';
const MAX_SHIFT = 0.05;
const ROWS = 250;
const SIZES = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', '3XL'];

describe('unsaved edits in the matrix', () => {
  const { visitors, world } = portalTests();

  it('are saved by one request after the header was saved, even without a stream event', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    const visitor = await visitors.visit();
    await visitor.page.route('**/notifications/stream*', () => new Promise(() => undefined));
    const page = await openMatrix(visitor, VENDOR, poNumber);
    await page.getByLabel('Reply factory').fill('Hefei 9');
    await save(page);
    const patches: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') patches.push(response.status());
    });
    await cellOf(page, 0, 0).focus();
    await page.keyboard.type('11');
    await page.keyboard.press('Tab');
    await save(page);
    expect(patches).toEqual([200]);
    expect(await quantitiesOf(world.as('admin'), poNumber)).toEqual([[11, 20, 30], [5]]);
  });

  it('are entered in cards on a phone', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    const visitor = await visitors.visit({ width: 390, height: 844 });
    const measured = await measure(visitor.page);
    const page = await openMatrix(visitor, VENDOR, poNumber);
    await page.locator('ol > li').first().waitFor();
    expect((await measured()).layoutShift).toBeLessThanOrEqual(MAX_SHIFT);
    const field = page.getByLabel('TS-100 NVY S', { exact: true });
    const card = page.getByRole('region', { name: 'TS-100 NVY' });
    await field.click();
    await page.keyboard.type('1');
    await card.getByText('51 · 637.50').waitFor();
    await page.keyboard.type('9');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    // Inserted in front, where the caret is.
    await page.keyboard.type('0');
    await page.keyboard.press('Delete');
    await page.keyboard.type('1');
    expect(await field.and(page.locator(':focus')).inputValue()).toBe('019');
    await card.getByText('69 · 862.50').waitFor();
    await card.getByText('+9').waitFor();
    await page.getByText('1 unsaved change').waitFor();
    await page.locator('main footer').getByText('74', { exact: true }).waitFor();
    expect(await page.locator('main footer s').allInnerTexts()).toEqual(['65', '812.50']);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect([await field.inputValue(), await page.locator('[data-unsaved]').count()]).toEqual(['10', 0]);
    await field.fill('14');
    await page.getByLabel('TS-100 RED Unit price').fill('11,500');
    await page.getByLabel('TS-100 RED Unit price').press('Enter');
    await page.getByText('1 entry to correct').waitFor();
    await page
      .getByRole('region', { name: 'TS-100 RED' })
      .getByText(/^Unclear/)
      .waitFor();
    await page.getByLabel('TS-100 RED Unit price').fill('11.5');
    await page.getByLabel('TS-100 RED Unit price').press('Enter');
    await screenshot(page, 'matrix-cards-en-light-390');
    expect(await accessibilityViolations(page, 'main')).toEqual([]);
    await save(page);
    expect(await quantitiesOf(world.as('admin'), poNumber)).toEqual([[14, 20, 30], [5]]);
  });

  it('work in an order of 2,000 cells, of which only the visible ones are rendered', async () => {
    const lines = Array.from({ length: ROWS * SIZES.length }, (_, index) => {
      const [style, color] = [`A${Math.floor(index / SIZES.length / 5)}`, `C${Math.floor(index / SIZES.length) % 5}`];
      const size = SIZES[index % SIZES.length] ?? '';
      return { lineId: `${index}`, code: `${style}-${color}`, style, color, size, sku: '', qty: 10, unitPrice: 12.5 };
    });
    const { poNumber } = await world.importOrder({ ...BOLT, lines });
    const visitor = await visitors.visit();
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await openMatrix(visitor, VENDOR, poNumber);
    await cellOf(page, 0, 3).click();
    for (let key = 0; key < 60; key += 1) await page.keyboard.press('ArrowDown');
    for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 400);
    await page.keyboard.press('Control+End');
    await eventually('the last row is rendered', async () => (await cellOf(page, ROWS - 1, 8).count()) === 1);
    for (let turn = 0; turn < 20; turn += 1) {
      await page.keyboard.type('9');
      await page.keyboard.press('ArrowUp');
    }
    const block = Array.from({ length: 50 }, () => SIZES.map(() => '11').join('\t')).join('\n');
    await page.evaluate((text) => navigator.clipboard.writeText(text), block);
    await page.keyboard.press('Control+Home');
    await eventually('the first row is rendered', async () => (await cellOf(page, 0, 0).count()) === 1);
    const paste = async () => {
      await page.keyboard.press('Control+v');
      await page.getByText('420 unsaved changes').waitFor();
    };
    const undo = async () => {
      await page.keyboard.press('Control+z');
      await page.getByText('20 unsaved changes', { exact: true }).waitFor();
    };
    const motions = await page.evaluateHandle(() => {
      const seen: string[] = [];
      document.addEventListener('transitionrun', ({ propertyName }) => seen.push(propertyName));
      return seen;
    });
    await paste();
    await undo();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByText('unsaved change').waitFor({ state: 'detached' });
    await undo();
    await page.keyboard.press('Control+Home');
    await paste();
    // With reduced motion there are no transitions, which would start and end in every cell.
    expect(await motions.jsonValue()).toEqual([]);
    expect(await page.locator('[role=grid] tbody tr').count()).toBeLessThan(60);
    expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toBe(`${ROWS + ROWS / 5 + 2}`);
    await screenshot(page, 'matrix-2000-en-light-1440');
    await save(page);
    const items = await linesOf(world.as('admin'), poNumber);
    expect(items.filter(({ vendorReplyUnitPrice }) => vendorReplyUnitPrice === 9)).toHaveLength(20);
    expect(items.filter(({ totalQty }) => totalQty === 88)).toHaveLength(50);
  });
});
