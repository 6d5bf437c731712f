import { describe, expect, it } from '@jest/globals';
import { editFile } from '../../e2e/spreadsheet-files.js';
import { act, detailOf, footprint, linesOf } from '../../e2e/world.js';
import { accessibilityViolations, isFocusVisible } from '../accessibility.js';
import { Keyboard } from '../keyboard.js';
import { measure } from '../measurements.js';
import { BOLT, importOrders } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { bomb, changedWorkbook, choose, downloadFile, drop, partOf, repliesOf } from '../spreadsheets.js';
import { portalTests, portalUrl } from '../visitors.js';

const SUMMARY = '[aria-label="Summary"] dd, [aria-label="概要"] dd';

describe('a spreadsheet', () => {
  const { visitors, world } = portalTests();
  const bolt = () => world.as('vendor:BOLT');

  it('is exported from an order, edited and imported, as CSV and as workbook, by keyboard alone', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    const page = await (await visitors.visit()).signIn('vendor:BOLT', `/orders/${poNumber}`);
    const menu = async (item: RegExp) => {
      await page.getByRole('button', { name: 'Spreadsheet' }).press('Enter');
      await page.getByRole('menuitem', { name: item }).press('Enter');
    };
    const csv = await downloadFile(page, () => menu(/CSV/));
    expect(csv.name).toBe(`${poNumber}.csv`);
    const [labels = '', first = '', ...rest] = csv.bytes.toString().split('\r\n');
    const cells = first.split(',');
    await menu(/Import/);
    await page.getByText(`Drop a file for ${poNumber} here`).waitFor();
    await choose(page, 'mine.csv', [labels, cells.with(10, '7').with(14, '11.25').join(','), ...rest].join('\r\n'));
    const part = partOf(page, poNumber);
    await part.getByText('2 changes').waitFor();
    expect(await part.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/NVY · S\s.*Reply quantity\s+no reply\s+7/s),
      expect.stringMatching(/NVY · S, M, L\s.*Reply price\s+no reply\s+11\.25/s),
    ]);
    expect(await page.locator(SUMMARY).allInnerTexts()).toEqual(['4', '2', '1', '0']);
    expect(await repliesOf(bolt(), poNumber)).toEqual([null, null, null]);
    // The focus moves from the name of the chosen file to the button at the end.
    await page.keyboard.press('Shift+Tab');
    await page.getByRole('button', { name: 'Apply' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 order applied').waitFor();
    await new Keyboard(page).requireFocus();
    expect(await repliesOf(bolt(), poNumber)).toEqual([7, null, null]);
    await page.getByRole('link', { name: `Open the order ${poNumber}` }).waitFor();
    await page.goto(portalUrl(`/orders/${poNumber}`));
    await page.getByText('11.25').first().waitFor();
    const book = await downloadFile(page, () => menu(/Excel/));
    const another = changedWorkbook(book.bytes, (xml) => xml.replace('<c r="K2"><v>7</v>', '<c r="K2"><v>12</v>'));
    await page.goto(portalUrl('/import'));
    await choose(page, book.name, another);
    await part.getByText('7 +5').waitFor();
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await page.getByText('1 order applied').waitFor();
    expect(await repliesOf(bolt(), poNumber)).toEqual([12, null, null]);
  });

  it('of many orders is applied to the orders that allow it, with a result for each', async () => {
    const { search, numbers } = await importOrders(world, 3, BOLT);
    const [one, locked, wrong] = numbers as [string, string, string];
    const file = await editFile(bolt(), search, ({ Size: size, Color: color, 'PO Number': number }) =>
      color === 'NVY' && size === 'S' ? { 'Reply Qty': number === wrong ? 'many' : '4' } : {},
    );
    await act(bolt(), locked, 'SUBMIT');
    const before = await footprint(bolt(), wrong);
    const visitor = await visitors.visit();
    visitor.expect(/status of 409/);
    const page = await visitor.signIn('vendor:BOLT', '/import');
    const measured = await measure(page);
    await page.reload();
    await page.getByText('Drop a file here').waitFor();
    await drop(page, 'all.csv', file);
    await partOf(page, one).getByText('1 change').waitFor();
    await partOf(page, locked).getByText('The order is Pending Approval').waitFor();
    expect(await partOf(page, wrong).locator('tbody td').allInnerTexts()).toEqual([
      '10',
      'Reply Qty',
      expect.stringMatching(/^must be a whole number/),
      'INVALID_VALUE',
    ]);
    const facts = await page.getByLabel('Summary').locator('div').allInnerTexts();
    expect(facts.map((fact) => fact.split(/\s*\n\s*/))).toEqual([
      ['Rows', '12'],
      ['Changes', '1'],
      ['Unchanged rows', '3'],
      ['Errors', '1'],
      ['Rows left out', '8'],
    ]);
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'import-review-en-light-1440');
    await page.getByText('Problems 2').click();
    expect(await page.locator('[data-part]').evaluateAll((parts) => parts.map((part) => part.dataset.part))).toEqual([
      wrong,
      locked,
    ]);
    await page.getByText('All 3').click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 order applied · 2 orders left out').waitFor();
    expect((await measured()).layoutShift).toBeLessThanOrEqual(0.05);
    expect(await repliesOf(bolt(), one)).toEqual([4, null, null]);
    expect(await repliesOf(bolt(), locked)).toEqual([null, null, null]);
    expect(await footprint(bolt(), wrong)).toEqual(before);
    await screenshot(page, 'import-applied-en-light-1440');
  });

  it('of many orders is reviewed by keyboard, with no focus behind the header or the footer', async () => {
    const { search, numbers } = await importOrders(world, 30, BOLT);
    const file = await editFile(bolt(), search, () => ({ 'Reply Qty': '2' }));
    const page = await (await visitors.visit()).signIn('vendor:BOLT', '/import');
    await choose(page, 'all.csv', file);
    for (const number of numbers) await partOf(page, number).getByText('4 changes').waitFor();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let stop = 1; stop <= 30; stop += 1) {
        await page.keyboard.press(key);
        expect([key, stop, await isFocusVisible(page)]).toEqual([key, stop, true]);
      }
  });

  it('dropped on an order is checked for that order in the language of the user, and errors prevent its import', async () => {
    const { search, numbers } = await importOrders(world, 2);
    const [poRef, other] = numbers as [string, string];
    const acme = world.as('vendor:ACME');
    const change = ({ 尺码: size }: Record<string, string>) => (size === 'M' ? { 回复数量: '-1' } : {});
    const file = await editFile(acme, search, change, 'zh');
    const before = await footprint(acme, poRef);
    const visitor = await visitors.visit({ theme: 'dark', width: 390, height: 844 });
    const page = await visitor.signIn('vendor:ACME', `/orders/${poRef}`);
    await page.locator('main footer').first().waitFor();
    await drop(page, '订单.csv', file);
    const part = partOf(page, poRef);
    await part.getByText('2 处错误').waitFor();
    expect(await part.locator('tbody tr').allInnerTexts()).toEqual([
      ...[3, 5].map((row) => expect.stringMatching(new RegExp(`^${row}\\s+回复数量\\s+必须在 0 到`))),
    ]);
    expect(await partOf(page, other).count()).toBe(0);
    expect(await page.getByRole('button', { name: '应用' }).isDisabled()).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await screenshot(page, 'import-errors-zh-dark-390');
    // The chosen file stays when the language changes.
    await page.locator('header button').nth(-3).click();
    await page.getByRole('menuitemradio', { name: 'English' }).or(page.getByText('English')).first().click();
    await part.getByText('2 errors').waitFor();
    await page.getByRole('button', { name: 'Import these too' }).click();
    await partOf(page, other).getByText('2 errors').waitFor();
    expect(await footprint(acme, poRef)).toEqual(before);
  });

  it('with an unsupported format, too much data or missing columns is refused', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    const visitor = await visitors.visit();
    visitor.expect(/status of 404/);
    const page = await visitor.signIn('vendor:BOLT', '/import');
    const files: [string, string | Buffer, string][] = [
      ['plan.pdf', '%PDF', 'plan.pdf is not a spreadsheet. CSV (.csv) and Excel (.xlsx) files can be imported.'],
      ['old.xls', 'x', 'old.xls has a format that cannot be read. Save it as .xlsx or .csv'],
      ['large.csv', Buffer.alloc(5 * 1024 * 1024 + 1, 'a'), 'large.csv is larger than 5 MB.'],
      ['renamed.xlsx', 'Row ID,Reply Qty', 'renamed.xlsx is not an Excel workbook, despite its name.'],
      ['bomb.xlsx', bomb(), 'bomb.xlsx is damaged or incomplete.'],
      ['orders.csv', 'PO Number,XFD\nPO-1,2027-01-01', 'orders.csv has no column “Row ID” in row 1 (in a workbook, '],
    ];
    for (const [name, content, said] of files) {
      await choose(page, name, content);
      await page.getByRole('alert').getByText(said).waitFor();
    }
    await screenshot(page, 'import-refused-en-light-1440');
    const hash = (await linesOf(bolt(), poNumber))[0]?.sizes.S?.rowHash ?? '';
    await choose(page, 'mine.csv', `Row ID,Reply Qty\n${hash},3\n`);
    await page.getByLabel('PO number').fill('PO-NOT-MINE');
    await page.keyboard.press('Enter');
    await partOf(page, 'PO-NOT-MINE').getByText('No such order').waitFor();
    await choose(page, 'mine.csv', `Row ID,Reply Qty\n${hash},3\n`);
    await page.getByLabel('PO number').fill(poNumber.toLowerCase());
    await page.keyboard.press('Enter');
    await partOf(page, poNumber).getByText('1 change').waitFor();
    expect(await repliesOf(bolt(), poNumber)).toEqual([null, null, null]);
  });

  it('is checked again after a change by another user, and is applied once if an answer is lost', async () => {
    const { search, numbers } = await importOrders(world, 2, BOLT);
    const [moved, lost] = numbers as [string, string];
    const file = await editFile(bolt(), search, () => ({ 'Reply Qty': '2' }));
    const visitor = await visitors.visit();
    visitor.expect(/status of 412/, /ERR_FAILED/, /status of 429/);
    const page = await visitor.signIn('vendor:BOLT', '/import');
    await choose(page, 'all.csv', file);
    await partOf(page, lost).getByText('4 changes').waitFor();
    await bolt().patch(`/purchase-orders/${moved}`, { vendor_reply_comment: 'meanwhile' });
    const applying = (poRef: string) => `**/api/purchase-orders/${poRef}/line-items/import?dryRun=false`;
    await page.route(applying(lost), async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Apply' }).click();
    await partOf(page, moved).getByText('Somebody changed the order in the meantime.').waitFor();
    await partOf(page, lost).getByText('Try again: nothing is applied twice.').waitFor();
    await screenshot(page, 'import-unclear-en-light-1440');
    await page.unroute(applying(lost));
    // The rate limit interrupts the import, and the user decides to stay on the page.
    let refusals = 0;
    await page.route(applying(moved), async (route) => {
      refusals += 1;
      if (refusals > 1) return route.continue();
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '9' },
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'RATE_LIMITED', detail: 'too many' }),
      });
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/Too many requests: continues in \d s/).waitFor();
    await page.getByRole('navigation').getByText('Dashboard').click();
    await page.getByRole('dialog').getByText('Leave while changes are being applied?').waitFor();
    await page.getByRole('button', { name: 'Stay' }).last().click();
    await page.getByText('2 orders applied').waitFor();
    expect([(await detailOf(bolt(), moved)).version, (await detailOf(bolt(), lost)).version]).toEqual([3, 2]);
    expect(await repliesOf(bolt(), lost)).toEqual([2, 2, 2]);
  });
});
