import { describe, expect, it } from '@jest/globals';
import type { ImportTable, ProblemError } from '@po/contracts';
import { tableOfCsv } from './csv-reader.js';
import { SerialQueue } from './serial-queue.js';

const read = (file: string | Buffer, saysUtf8 = false): Promise<ImportTable> =>
  tableOfCsv(Buffer.from(file), saysUtf8, new SerialQueue());
const valuesOf = ({ rows }: ImportTable) =>
  rows.map(({ row, rowHash, vendorReplyQty, vendorReplyUnitPrice }) => [
    row,
    rowHash,
    vendorReplyQty,
    vendorReplyUnitPrice,
  ]);
const refusalOf = async (file: string | Buffer, saysUtf8 = false) => {
  const refused = await read(file, saysUtf8).then(
    () => null,
    (error: ProblemError) => error,
  );
  return [refused?.code, refused?.options.hidden?.reason, refused?.options.hidden?.reasonZh] as string[];
};

const ENGLISH = { rowHash: 'Row ID', vendorReplyQty: 'Reply Qty', vendorReplyUnitPrice: 'Reply Price' };

describe('the columns of a CSV', () => {
  it.each<[string, ImportTable['columns']]>([
    ['Row ID,Reply Qty,Reply Price', ENGLISH],
    ['行标识,回复数量,回复单价', { rowHash: '行标识', vendorReplyQty: '回复数量', vendorReplyUnitPrice: '回复单价' }],
    ['Notes,Reply Price,Qty,Row ID,', { rowHash: 'Row ID', vendorReplyUnitPrice: 'Reply Price' }],
    ['"Row ID","回复数量"', { rowHash: 'Row ID', vendorReplyQty: '回复数量' }],
    ['A,B,C', {}],
  ])('are found by the labels %j', async (labels, columns) => {
    expect(await read(`${labels}\r\n`)).toEqual({ columns, repeated: [], rows: [], tooMany: null });
  });

  it.each(['Order PO-1\r\n', '\r\n'])('are missing if %j is above them', async (above) => {
    expect((await read(`${above}Row ID,Reply Qty\r\na1,5\r\n`)).columns).toEqual({});
  });

  it('are reported as repeated if they occur twice', async () => {
    expect((await read('Row ID,Reply Qty,回复数量,row id,ROW ID\n')).repeated).toEqual(['vendorReplyQty', 'rowHash']);
  });
});

describe('the rows of a CSV', () => {
  const rows = [
    [2, 'a1', '5', '12.5'],
    [3, 'a2', null, 'clear'],
  ];

  it.each([
    ['with commas', 'Row ID,Reply Qty,Reply Price\r\na1,5,12.5\r\na2,,clear\r\n'],
    ['with line feeds, and none at the end', 'Row ID,Reply Qty,Reply Price\na1,5,12.5\na2,,clear'],
    ['with semicolons', 'Row ID;Reply Qty;Reply Price\r\na1;5;12.5\r\na2;;clear\r\n'],
    ['with everything quoted', '"Row ID","Reply Qty","Reply Price"\r\n"a1","5","12.5"\r\n"a2","","clear"\r\n'],
    [
      'with other columns and spaces',
      'Style,Row ID,Reply Price,Reply Qty,x\r\n"a,b\nc",a1 ,12.5, 5\r\n5" pipe, a2,clear\r\n',
    ],
  ])('are read from a file %s', async (_what, file) => {
    expect(valuesOf(await read(file))).toEqual(rows);
    expect(valuesOf(await read(file, true))).toEqual(rows);
  });

  it('keep the numbers that people see: empty rows count, but are left out', async () => {
    const file = 'Row ID,Reply Qty\r\n\r\na1,1\r\n , \r\n"a\nb",2\r\n,,,\r\na3,3\r\n';
    expect(valuesOf(await read(file)).map(([row, hash]) => [row, hash])).toEqual([
      [3, 'a1'],
      [5, 'a\nb'],
      [7, 'a3'],
    ]);
  });

  it('end after 20,000 records, which include rows of separators between others, but no empty lines', async () => {
    const file = `Row ID,Reply Qty,x\r\na1,1,\r\n${',\r\n'.repeat(30_000)}a2,2,\r\n`;
    expect(await read(file)).toMatchObject({ rows: { length: 1 }, tooMany: 20_001 });
    expect(await read(file.replace('a2,2', ','))).toMatchObject({ rows: { length: 1 }, tooMany: null });
    expect(await read(file.replaceAll(/\n,\r/g, '\n\r'))).toMatchObject({ rows: { length: 2 }, tooMany: null });
  });

  it('lose the quote that an export puts before a text that looks like a formula', async () => {
    const file = "'Row ID,Reply Qty\r\n";
    expect((await read(file)).columns).toEqual({ vendorReplyQty: 'Reply Qty' });
    expect(valuesOf(await read("Row ID,Reply Qty\r\n'-1,'=2\r\n'x,''\r\n"))).toEqual([
      [2, '-1', '=2', null],
      [3, "'x", "''", null],
    ]);
  });

  it('are cut to 40 characters, so that no value becomes another', async () => {
    const [[, hash, qty] = []] = valuesOf(
      await read(`Row ID,Reply Qty\r\n${'a'.repeat(5_000)},${'0'.repeat(200)}5\r\n`),
    );
    expect([hash, qty]).toEqual([`${'a'.repeat(39)}…`, `${'0'.repeat(39)}…`]);
    const [[, astral] = []] = valuesOf(await read(`Row ID,Reply Qty\r\n${'😀'.repeat(99)},1\r\n`));
    expect((astral as string).isWellFormed()).toBe(true);
  });

  it('are at most 5,000, and the rest is not read', async () => {
    const many = (count: number) => `Row ID,Reply Qty\r\n${'a,1\r\n'.repeat(count)}`;
    const { rows, tooMany } = await read(many(5_000));
    expect([rows.length, rows.at(-1)?.row, tooMany]).toEqual([5_000, 5_001, null]);
    // The quote would be refused if it was read.
    expect(await read(`${many(100_000)}"`)).toMatchObject({ rows: { length: 5_000 }, tooMany: 5_002 });
  });
});

describe('the points in the prices of a CSV', () => {
  it.each<[string, string, true | undefined]>([
    ['are clear in a file with commas', 'Row ID,Reply Price\na1,1.125\n', undefined],
    ['are unclear in a file with commas that has decimal commas', 'Row ID,Reply Price\na1,1.125\na2,"12,5"\n', true],
    ['are unclear in a file with semicolons', 'Row ID;Reply Price\na1;1.125\n', true],
    ['are unclear in a file with tabs, also in full width', 'Row ID\tReply Price\na1\t１．１２５\n', true],
    [
      'are not unclear in a file with semicolons that has no such price',
      'Row ID;Reply Price;Reply Qty\na1;12,5;1.000\n',
      undefined,
    ],
  ])('%s', async (_what, file, expected) => {
    expect((await read(file)).unclearPoints).toBe(expected);
  });
});

it('a CSV in GBK, as Excel writes it in China, is read unless its media type declares UTF-8', async () => {
  const file = Buffer.from('d0d0b1eacab62cbbd8b8b4cafdc1bf0d0a61312c350d0a', 'hex');
  expect(valuesOf(await read(file))).toEqual([[2, 'a1', '5', null]]);
  expect((await refusalOf(file, true))[0]).toBe('BAD_REQUEST');
});

describe('an invalid CSV', () => {
  it.each<[string, string | Buffer]>([
    ['an empty file', ''],
    ['bytes in no known encoding', Buffer.from([0x52, 0xff, 0x2c, 0xfe, 0x0a])],
  ])('(%s) is refused with a description of what is accepted', async (_what, file) => {
    expect(await refusalOf(file)).toEqual([
      'BAD_REQUEST',
      expect.stringContaining('must be text in UTF-8'),
      expect.stringContaining('必须是 UTF-8 文本'),
    ]);
  });

  it('is refused if a row has a value after the last label, because an unquoted separator has shifted its cells', async () => {
    const rows = (price: string, end: string) =>
      `Row ID,Reply Price,Reply Qty\r\na1,3,1${end}\r\na2,${price},5${end}\r\n`;
    expect(await refusalOf(rows('12,9', ''))).toEqual([
      'BAD_REQUEST',
      expect.stringContaining('Row 3 of the CSV has more cells than row 1'),
      expect.stringContaining('第 3 行'),
    ]);
    // Spreadsheet programs write separators for cells that were emptied.
    const { rows: taken } = await read(rows('"12,9"', ',, ,'));
    expect(taken.map(({ vendorReplyUnitPrice }) => vendorReplyUnitPrice)).toEqual(['3', '12,9']);
  });

  it('is refused with the row of a quote that is not closed', async () => {
    const [code, reason] = await refusalOf('Row ID,Reply Qty\r\na1,1\r\n"a2,2\r\na3,3\r\n');
    expect([code, reason]).toEqual(['BAD_REQUEST', expect.stringContaining('in row 3')]);
  });

  it('is refused for a row of more than 131,072 characters, but not for one of many columns', async () => {
    expect((await refusalOf(`Row ID,Reply Qty\r\na,"${'x'.repeat(140_000)}"\r\n`))[1]).toMatch(
      /Row 2 .* 131072 characters/,
    );
    const others = ',x'.repeat(16_384);
    const file = `Row ID,Reply Qty${others}\r\na,1${others}\r\n`;
    expect(valuesOf(await read(file))).toEqual([[2, 'a', '1', null]]);
  });
});
