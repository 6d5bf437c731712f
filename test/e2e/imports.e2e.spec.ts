import { beforeAll, describe, expect, it } from '@jest/globals';
import type { LineItem } from '@po/contracts';
import type { Api } from '../support/api-client.js';
import { CSV, XLSX, edited, exported, importInto } from './spreadsheet-files.js';
import { type World, act, detailOf, footprint, linesOf, openWorld } from './world.js';

interface Refusal {
  code: string;
  detail: string;
  errors: { row: number; column: string | null; code: string; message: string; messageZh: string }[];
}

const DRY = { query: '?dryRun=true' };

const repliesOf = (items: LineItem[]) =>
  items.flatMap(({ color, vendorReplyUnitPrice, sizes, sizeOrder }) =>
    sizeOrder.map((size) => [color, size, sizes[size]?.vendorReplyQty, vendorReplyUnitPrice]),
  );

describe('an import', () => {
  let world: World;
  beforeAll(() => {
    world = openWorld();
  });
  const vendor = () => world.as('vendor:ACME');

  it('of what was exported changes nothing, as CSV and as workbook', async () => {
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
      const file = await exported(vendor(), `search=${poNumber}&format=${format}`);
      const answer = await importInto(vendor(), poNumber, file.bytes, { headers: type });
      expect([answer.status, answer.body]).toEqual([200, { applied: true, rows: 4, changes: [], errors: [] }]);
      expect(answer.headers.get('etag')).toBe('"2"');
    }
    expect(await footprint(world.as('admin'), poNumber)).toEqual(before);
  });

  it('of an edited export changes exactly what was edited, after a dry run that told so', async () => {
    const { poNumber } = await world.importOrder();
    const file = await edited(
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
      await edited(vendor(), poNumber, ({ Color: color }) => (color === 'RED' ? { 'Reply Qty': '清除' } : {})),
    );
    expect(cleared.body.changes).toEqual([expect.objectContaining({ color: 'RED', from: 0, to: null })]);
  });

  it('tells every error at once with its row and column, in both languages, and applies nothing', async () => {
    const { poNumber } = await world.importOrder();
    const items = await linesOf(vendor(), poNumber);
    const [small, medium, large] = ['S', 'M', 'L'].map((size) => items[0]?.sizes[size]?.rowHash ?? '');
    const red = items[1]?.sizes.M?.rowHash ?? '';
    const file = [
      ['Reply Price', 'row id', '回复数量'],
      ['11', small, '5'],
      ['12', medium, 'many'],
      ['', large, '-1'],
      ['0', red, ''],
      ['', red, '3'],
      ['', 'f'.repeat(32), '1'],
    ]
      .map((row) => `${row.join(';')}\n`)
      .join('');
    const expected = [
      [3, '回复数量', 'INVALID_VALUE'],
      [3, 'Reply Price', 'PRICES_DIFFER'],
      [4, '回复数量', 'OUT_OF_RANGE'],
      [5, 'Reply Price', 'OUT_OF_RANGE'],
      [6, 'row id', 'DUPLICATE_ROW'],
      [7, 'row id', 'UNKNOWN_ROW'],
    ];
    const before = await footprint(world.as('admin'), poNumber);
    const refused = await importInto<Refusal>(vendor(), poNumber, file);
    expect([refused.status, refused.body.code]).toEqual([422, 'IMPORT_INVALID']);
    expect(refused.body.errors.map(({ row, column, code }) => [row, column, code])).toEqual(expected);
    for (const { message, messageZh } of refused.body.errors) {
      expect([message, messageZh]).toEqual([
        expect.stringMatching(/^[ -~]+$/),
        expect.stringMatching(/\p{Script=Han}/u),
      ]);
    }
    const dry = await importInto(vendor(), poNumber, file, DRY);
    expect([dry.status, dry.body]).toEqual([
      200,
      { applied: false, rows: 6, changes: [], errors: refused.body.errors },
    ]);
    const empty = await importInto<Refusal>(vendor(), poNumber, 'Style,Color\r\nx,y\r\n');
    expect(empty.body.errors.map(({ row, code }) => [row, code])).toEqual([
      [1, 'MISSING_COLUMN'],
      [1, 'MISSING_COLUMN'],
    ]);
    const long = await importInto<Refusal>(
      vendor(),
      poNumber,
      `Row ID,Reply Qty\r\n${`${small},\r\n`.repeat(100_000)}`,
    );
    expect(long.body.errors).toHaveLength(1_000);
    expect(long.body.errors[0]).toMatchObject({ row: 5_002, column: null, code: 'TOO_MANY_ROWS' });
    expect(await footprint(world.as('admin'), poNumber)).toEqual(before);
  });

  it('is refused where editing is: to others, to buyers, at another version, in a locked status; a dry run, too', async () => {
    const { poNumber } = await world.importOrder();
    const file = await edited(vendor(), poNumber, () => ({ 'Reply Qty': '1' }));
    const refused = async (api: Api, headers: Record<string, string> = CSV) => {
      const answers = [];
      for (const query of ['', '?dryRun=true']) {
        const { status, body } = await importInto<Refusal>(api, poNumber, file, { headers, query });
        answers.push([status, body.code]);
      }
      return answers;
    };
    const twice = (status: number, code: string) => [
      [status, code],
      [status, code],
    ];
    const before = await footprint(world.as('admin'), poNumber);
    expect(await refused(world.as('vendor:BOLT'))).toEqual(twice(404, 'PO_NOT_FOUND'));
    for (const user of ['buyer', 'admin', 'viewer'] as const) {
      expect(await refused(world.as(user))).toEqual(twice(403, 'ROLE_NOT_ALLOWED'));
    }
    const stale = { ...CSV, 'if-match': '"7"' };
    expect(await refused(vendor(), stale)).toEqual(twice(412, 'VERSION_MISMATCH'));
    expect(await footprint(world.as('admin'), poNumber)).toEqual(before);
    await act(vendor(), poNumber, 'SUBMIT');
    const locked = await footprint(world.as('admin'), poNumber);
    expect(await refused(vendor())).toEqual(twice(409, 'PO_NOT_EDITABLE'));
    expect(await refused(vendor(), stale)).toEqual(twice(412, 'VERSION_MISMATCH'));
    expect(await footprint(world.as('admin'), poNumber)).toEqual(locked);
  });

  it('is replayed under its key, which is bound to the bytes of the file', async () => {
    const { poNumber } = await world.importOrder();
    const file = await edited(vendor(), poNumber, () => ({ 'Reply Qty': '9' }));
    const key = { ...CSV, 'idempotency-key': `import-${poNumber}` };
    await importInto(vendor(), poNumber, 'Row ID,Reply Qty\r\n', { headers: key, ...DRY });
    const first = await importInto(vendor(), poNumber, file, { headers: key });
    expect([first.status, first.body.changes.length, first.headers.get('idempotency-replayed')]).toEqual([
      200,
      4,
      null,
    ]);
    await act(vendor(), poNumber, 'SUBMIT');
    const again = await importInto(vendor(), poNumber, file, { headers: key });
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true']);
    expect(again.headers.get('etag')).toBe('"2"');
    // The same rows, but other bytes.
    const other = await importInto<Refusal>(vendor(), poNumber, `${file}\r\n`, { headers: key });
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await detailOf(vendor(), poNumber)).toMatchObject({ version: 3 });
  });

  it('refuses another media type, then who may not import, then what is no file of its kind or too large', async () => {
    const { poNumber } = await world.importOrder();
    const code = async (file: string | Buffer, headers: Record<string, string>, poRef = poNumber) => {
      const { status, body } = await importInto<Refusal>(vendor(), poRef, file, { headers });
      return [status, body.code];
    };
    expect(await code('Row ID\r\n', { 'content-type': 'application/json' })).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await code('Row ID\r\n', { 'content-type': 'text/csv; charset=gbk' })).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
    expect(await code(Buffer.alloc(5 * 1024 * 1024 + 1, ' '), CSV)).toEqual([413, 'BODY_TOO_LARGE']);
    expect(await code('Row ID\r\n', XLSX)).toEqual([400, 'BAD_REQUEST']);
    const unknown = 'NO-SUCH-ORDER';
    expect(await code('x', { 'content-type': 'application/json' }, unknown)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await code(Buffer.alloc(5 * 1024 * 1024 + 1, ' '), CSV, unknown)).toEqual([404, 'PO_NOT_FOUND']);
    expect(await code('Row ID\r\n', XLSX, unknown)).toEqual([404, 'PO_NOT_FOUND']);
  });
});
