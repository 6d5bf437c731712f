import { describe, expect, it } from '@jest/globals';
import type { LineItem } from '@po/contracts';
import { CSV, XLSX, editFile, exportFile, importInto } from './spreadsheet-files.js';
import { detailOf, footprint, linesOf, openWorld } from './world.js';

const DRY = { query: '?dryRun=true' };

const repliesOf = (items: LineItem[]) =>
  items.flatMap(({ color, vendorReplyUnitPrice, sizes, sizeOrder }) =>
    sizeOrder.map((size) => [color, size, sizes[size]?.vendorReplyQty, vendorReplyUnitPrice]),
  );

describe('an import', () => {
  const world = openWorld();
  const vendor = () => world.as('vendor:ACME');

  it('of an unchanged export changes nothing, as CSV and as workbook', async () => {
    const { poNumber } = await world.importOrder();
    await vendor().patch(`/purchase-orders/${poNumber}/line-items`, {
      lines: [
        {
          rowHash: (await linesOf(vendor(), poNumber))[0]?.sizes.S?.rowHash,
          vendorReplyQty: 7,
          vendorReplyUnitPrice: 11.25,
        },
      ],
    });
    const before = await footprint(world.as('admin'), poNumber);
    for (const [format, type] of [
      ['csv', CSV],
      ['xlsx', XLSX],
    ] as const) {
      const file = await exportFile(vendor(), `search=${poNumber}&format=${format}`);
      const answer = await importInto(vendor(), poNumber, file.bytes, { headers: type });
      expect([answer.status, answer.body]).toEqual([200, { applied: true, rows: 4, changes: [], errors: [] }]);
      expect(answer.headers.get('etag')).toBe('"2"');
    }
    expect(await footprint(world.as('admin'), poNumber)).toEqual(before);
  });

  it('of an edited export makes exactly the edits that the dry run announced', async () => {
    const { poNumber } = await world.importOrder();
    const file = await editFile(
      vendor(),
      poNumber,
      ({ 尺码: size, 颜色: color }) => (color === 'RED' ? { 回复数量: '0' } : size === 'M' ? { 回复单价: '11.5' } : {}),
      'zh',
    );
    const before = await footprint(world.as('admin'), poNumber);
    const dry = await importInto(vendor(), poNumber, file, DRY);
    expect([dry.status, dry.body.applied, dry.headers.get('etag')]).toEqual([200, false, '"1"']);
    expect(await footprint(world.as('admin'), poNumber)).toEqual(before);
    const answer = await importInto(vendor(), poNumber, file);
    expect([answer.status, answer.headers.get('etag'), answer.body]).toEqual([
      200,
      '"2"',
      { ...dry.body, applied: true },
    ]);
    expect(answer.body.changes.map(({ color, size, field, from, to }) => [color, size, field, from, to])).toEqual([
      ['NVY', 'S', 'vendorReplyUnitPrice', null, 11.5],
      ['NVY', 'M', 'vendorReplyUnitPrice', null, 11.5],
      ['NVY', 'L', 'vendorReplyUnitPrice', null, 11.5],
      ['RED', 'M', 'vendorReplyQty', null, 0],
    ]);
    expect(repliesOf(await linesOf(vendor(), poNumber))).toEqual([
      ['NVY', 'S', null, 11.5],
      ['NVY', 'M', null, 11.5],
      ['NVY', 'L', null, 11.5],
      ['RED', 'M', 0, null],
    ]);
    expect(await detailOf(vendor(), poNumber)).toMatchObject({ version: 2, hasPendingChanges: true, statusId: 100 });
    const cleared = await importInto(
      vendor(),
      poNumber,
      await editFile(vendor(), poNumber, ({ Color: color }) => (color === 'RED' ? { 'Reply Qty': '清除' } : {})),
    );
    expect(cleared.body.changes).toEqual([expect.objectContaining({ color: 'RED', from: 0, to: null })]);
  });
});
