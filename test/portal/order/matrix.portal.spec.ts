import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Snapshot, detailOf, linesOf } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { accessibilityViolations } from '../accessibility.js';
import { cellOf, openMatrix, rowsOf, save } from '../matrix.js';
import { screenshot } from '../screenshots.js';
import { goTo, portalTests } from '../visitors.js';

const VENDOR = 'vendor:ACME';
const SIZES = ['S', 'M', 'L', 'XL'];

/** Lines in this number of colors and four sizes, ten pieces each at 12.5. */
const ofColors = (colors: number): Pick<Snapshot, 'lines'> => ({
  lines: Array.from({ length: colors * SIZES.length }, (_, index) => {
    const color = `C${String(Math.floor(index / SIZES.length)).padStart(2, '0')}`;
    const size = SIZES[index % SIZES.length] ?? '';
    return { lineId: `${index}`, code: `A-${color}`, style: 'A', color, size, sku: '', qty: 10, unitPrice: 12.5 };
  }),
});
/** Lines in two colors and six sizes with this quantity each. */
const ofSixSizes = (qty: number): Pick<Snapshot, 'lines'> => ({
  lines: ['NAVY', 'DARK OLIVE'].flatMap((color) =>
    ['XS', 'S', 'M', 'L', 'XL', 'XXL'].map((size) => {
      const lineId = `${color}-${size}`;
      return { lineId, code: `K-${color}`, style: 'KP-2210', color, size, sku: '', qty, unitPrice: 12.5 };
    }),
  ),
});
/** Cells with a number or a mark that is cut off, and the distance that the grid scrolls. */
const cutIn = (page: Page) =>
  page.getByRole('grid').evaluate((grid) => {
    const range = document.createRange();
    const isCut = (cell: Element) => {
      const { left, right } = cell.getBoundingClientRect();
      // Text for screen readers only is one pixel wide.
      const seen = [...cell.children].filter((part) => part.getBoundingClientRect().width > 1);
      return (cell.childElementCount === 0 ? [cell] : seen.flatMap((part) => [part, ...part.children])).some((part) => {
        range.selectNodeContents(part);
        const box = (part instanceof SVGElement ? part : range).getBoundingClientRect();
        return box.left < left || box.right > right;
      });
    };
    const cells = [...grid.querySelectorAll('td')].filter((cell) => cell.textContent !== '' && isCut(cell));
    const { scrollWidth = 0, clientWidth = 0 } = grid.parentElement ?? {};
    return { cells: cells.map((cell) => cell.textContent), scrolls: scrollWidth - clientWidth };
  });
const textIn = (page: Page, row: number, column: number) => cellOf(page, row, column).innerText();
const focused = (page: Page) =>
  page.evaluate(() => {
    const { row, column } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
    return [Number(row), Number(column)];
  });

describe('the matrix of an order', () => {
  const { visitors, world } = portalTests();
  const repliesOf = async (poRef: string) =>
    (await linesOf(world.as('admin'), poRef)).map(({ sizes, sizeOrder, vendorReplyUnitPrice }) => [
      ...sizeOrder.map((size) => sizes[size]?.vendorReplyQty ?? null),
      vendorReplyUnitPrice,
    ]);

  it('is edited and saved by keyboard alone', async () => {
    const { poNumber } = await world.importOrder(ofColors(2));
    const page = await openMatrix(await visitors.visit(), VENDOR, poNumber);
    await cellOf(page, 0, 0).focus();
    await page.keyboard.type('12');
    await page.keyboard.press('Tab');
    await page.keyboard.type('13');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toEqual([1, 1]);
    await page.keyboard.press('End');
    await page.keyboard.type('11.75');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toEqual([0, 4]);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+d');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+y');
    expect(await page.locator('td[data-unsaved]').count()).toBe(3);
    expect(await repliesOf(poNumber)).toEqual([
      [null, null, null, null, null],
      [null, null, null, null, null],
    ]);
    expect(await page.locator('tfoot').innerText()).toMatch(/\b85\b/);
    await page.keyboard.press('Control+s');
    await eventually('nothing is unsaved', async () => (await page.locator('td[data-unsaved]').count()) === 0);
    expect(await repliesOf(poNumber)).toEqual([
      [12, 13, null, null, null],
      [null, null, null, null, 11.75],
    ]);
    expect(await textIn(page, 0, 0)).toMatch(/^\s*12\s+10 \+2$/);
    // One value for the whole selection is one undo step.
    for (const key of ['Control+Home', 'Shift+ArrowDown', 'Shift+ArrowRight', '7', 'Control+Enter'])
      await page.keyboard.press(key);
    await eventually('four cells are edited', async () => (await page.locator('td[data-unsaved]').count()) === 4);
    expect(await focused(page)).toEqual([1, 1]);
    await page.keyboard.press('Control+z');
    await eventually('no cell is edited', async () => (await page.locator('td[data-unsaved]').count()) === 0);
  });

  it('pastes fifty rows from a spreadsheet and copies them back', async () => {
    const { poNumber } = await world.importOrder(ofColors(50));
    const visitor = await visitors.visit();
    const page = await openMatrix(visitor, VENDOR, poNumber);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = Array.from({ length: 50 }, (_, row) => SIZES.map((__, column) => `${1_000 + row * 4 + column}`));
    const copied = block.map((row) => row.join('\t').replace('1000', '"1,000"')).join('\r\n');
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${copied}\r\n`);
    await cellOf(page, 0, 0).focus();
    // Only the grid scrolls.
    for (const [key, rows] of [
      ['PageDown', ':not([data-row="0"])'],
      ['Control+End', '[data-row="49"]'],
      ['Control+Home', '[data-row="0"]'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`td:focus${rows}`).waitFor();
      expect([key, await page.evaluate(() => scrollY)]).toEqual([key, 0]);
    }
    await page.keyboard.press('Control+v');
    await eventually('the block is pasted', async () => (await textIn(page, 0, 1)).includes('1,001'));
    await page.keyboard.press('Control+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      block.map((row) => row.join('\t')).join('\n'),
    );
    await screenshot(page, 'matrix-pasted-zh-light-1440');
    await save(page);
    expect((await repliesOf(poNumber)).map((row) => row.slice(0, 4).map(String))).toEqual(block);
    expect((await detailOf(world.as('admin'), poNumber)).version).toBe(2);
  });

  it('marks an invalid value, explains it, and saves nothing until it is corrected', async () => {
    const { poNumber } = await world.importOrder(ofColors(2));
    const page = await openMatrix(await visitors.visit(), VENDOR, poNumber);
    await cellOf(page, 1, 2).focus();
    await page.keyboard.type('1.5');
    await page.keyboard.press('Enter');
    await cellOf(page, 1, 2).click();
    expect(await cellOf(page, 1, 2).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('status').getByText('必须是整数').waitFor();
    await page.keyboard.press('Control+s');
    expect(await page.getByRole('button', { name: '保存' }).isDisabled()).toBe(true);
    await screenshot(page, 'matrix-wrong-zh-light-1440');
    expect(await accessibilityViolations(page, 'main')).toEqual([]);
    await page.keyboard.type('15');
    await page.keyboard.press('Enter');
    await save(page);
    expect((await repliesOf(poNumber))[1]).toEqual([null, null, 15, null, null]);
  });

  it('shows the differences to users who may not edit and accepts no input from them', async () => {
    const { poNumber } = await world.importOrder(ofColors(5));
    const [, second] = await linesOf(world.as('admin'), poNumber);
    const rowHash = second?.sizes.M?.rowHash;
    await world
      .as(VENDOR)
      .patch(`/purchase-orders/${poNumber}/line-items`, { lines: [{ rowHash, vendorReplyQty: 4 }] });
    const page = await openMatrix(await visitors.visit({ theme: 'dark' }), 'buyer', poNumber);
    await page.getByRole('switch', { name: 'Only changes' }).check({ force: true });
    expect(await rowsOf(page)).toEqual(['A C01']);
    await cellOf(page, 0, 1).click();
    await page.keyboard.type('7');
    await page.keyboard.press('Delete');
    expect(await page.locator('td input, td[data-unsaved]').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('status').filter({ hasText: 'A · C01 · MOriginal 10' }).waitFor();
    await screenshot(page, 'matrix-only-changes-en-dark-1440');
    expect(await accessibilityViolations(page, 'main')).toEqual([]);
  });

  it('shows every number in full in a window of 1280 pixels, including typed ones', async () => {
    const visitor = await visitors.visit({ width: 1280, height: 800 });
    const usual = await world.importOrder(ofSixSizes(12_345));
    const page = await openMatrix(visitor, VENDOR, usual.poNumber);
    expect(await cutIn(page)).toEqual({ cells: [], scrolls: 0 });
    await cellOf(page, 0, 0).focus();
    for (const text of ['199234', '9999999']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    expect(await page.locator('td[data-unsaved]').count()).toBe(2);
    expect((await cutIn(page)).cells).toEqual([]);
    const large = await world.importOrder(ofSixSizes(99_617));
    await goTo(page, `/orders/${large.poNumber}`);
    await page.getByRole('grid').getByText('199,234').first().waitFor();
    expect((await cutIn(page)).cells).toEqual([]);
  });

  it('keeps the error mark of a too large number inside its cell', async () => {
    const { poNumber } = await world.importOrder(ofSixSizes(10));
    const visitor = await visitors.visit({ width: 1280, height: 800 });
    const page = await openMatrix(visitor, VENDOR, poNumber);
    await cellOf(page, 0, 0).focus();
    await page.keyboard.type('20000000');
    await page.keyboard.press('Tab');
    const cell = await cellOf(page, 0, 0).boundingBox();
    const mark = await cellOf(page, 0, 0).locator('svg').boundingBox();
    expect(mark?.x).toBeGreaterThan(cell?.x ?? Infinity);
    expect(mark?.width).toBe(12);
  });

  it('shows the focus and the selection with forced colors too', async () => {
    const { poNumber } = await world.importOrder(ofColors(2));
    const page = await openMatrix(await visitors.visit(), VENDOR, poNumber);
    await page.emulateMedia({ forcedColors: 'active' });
    const outlineOf = (row: number, column: number) =>
      cellOf(page, row, column).evaluate((cell) => getComputedStyle(cell).outlineStyle);
    await cellOf(page, 0, 0).focus();
    expect([await outlineOf(0, 0), await outlineOf(0, 1)]).toEqual(['solid', 'none']);
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('[role=grid][data-many]').waitFor();
    expect([await outlineOf(0, 0), await outlineOf(0, 1)]).toEqual(['dashed', 'solid']);
    await page.getByLabel('回复工厂').fill('Hefei');
    const groundOf = (element: Locator) => element.evaluate((mark) => getComputedStyle(mark).backgroundColor);
    expect(await groundOf(page.getByRole('img', { name: '未保存' }).first())).not.toBe(
      await groundOf(page.locator('body')),
    );
  });

  it('lists the lines that the inventory system removed', async () => {
    const order = await world.importOrder(ofColors(2));
    await world.importOrder({ ...order, sourceRevision: 2, lines: order.lines.slice(0, -1) });
    const page = await openMatrix(await visitors.visit(), 'buyer', order.poNumber);
    await page.getByRole('listitem').filter({ hasText: 'A · C01 · XL was 10' }).waitFor();
    expect(await accessibilityViolations(page, 'main')).toEqual([]);
  });
});
