import { describe, expect, it } from '@jest/globals';
import { COLUMN_LABELS } from '@po/contracts';
import { strToU8, zipSync } from 'fflate';
import { SHEET, TEXTS, sheetOf, workbook } from '../../fixtures/workbook.js';
import { LABELS } from './columns.js';
import { readSheet } from './read-sheet.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const csv = (text: string) => readSheet(bytes(text), 'csv');
const xlsx = (rows: string, shared: readonly string[] = []) =>
  workbook({ [SHEET]: sheetOf(rows), [TEXTS]: `<sst>${shared.map((text) => `<si>${text}</si>`).join('')}</sst>` });
const LABEL_ROW =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>PO Number</t></is></c><c r="B1" t="s"><v>0</v></c><c r="D1" t="inlineStr"><is><t>回复数量</t></is></c></row>';

describe('the column labels', () => {
  it('equal those of the exports', () => {
    const exported = Object.keys(LABELS).map((name) => COLUMN_LABELS[name as keyof typeof LABELS]);
    expect(Object.values(LABELS)).toEqual(exported.map(({ en, zh }) => [en, zh]));
  });
});

describe('a CSV', () => {
  it('is read by its labels in either language, with any case and spacing', async () => {
    expect(
      await csv('\ufeff状态,行标识 ,订单号,REPLY  PRICE\r\n新订单, h1 ,po-1,12.5\r\n\r\n,h2,,\r\n,,,\r\n'),
    ).toEqual({
      sheet: {
        labels: ['行标识', 'REPLY  PRICE'],
        hasRowIds: true,
        rows: [
          { row: 2, poNumber: 'PO-1', cells: ['h1', '12.5'] },
          { row: 4, poNumber: '', cells: ['h2', ''] },
        ],
      },
    });
  });

  it.each([
    ['another format', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'notCsv'],
    ['an unclosed quote', bytes('Row ID,Reply Qty\n"h,1\n'), 'notCsv'],
    ['a row with more cells than labels', bytes('Row ID,Reply Price,Reply Qty\nh,12,9,5\n'), 'wideRow'],
    ['a title above the labels', bytes('Order PO-1\nRow ID,Reply Qty\nh,5\n'), 'noRowIds'],
    ['one row per order', bytes('PO Number,XFD\nPO-1,2027-01-01\n'), 'noRowIds'],
  ])('is refused if it has %s', async (_what, file, fault) => {
    expect(await readSheet(file, 'csv')).toEqual({ fault });
  });
});

describe('a workbook', () => {
  it('is read from its first visible sheet, with the row numbers of the file', async () => {
    const rows = `${LABEL_ROW}<row r="5"><c r="A5" t="s"><v>1</v></c><c r="B5" t="inlineStr"><is><r><t>h</t></r><r><t>1</t></r></is></c><c r="D5"><v>7</v></c></row>`;
    const shared = ['<r><t>Row </t></r><r><t>ID</t></r><rPh><t>x</t></rPh>', '<t>po-9</t>'];
    expect(await readSheet(xlsx(rows, shared), 'xlsx')).toEqual({
      sheet: {
        labels: ['Row ID', '回复数量'],
        hasRowIds: true,
        rows: [{ row: 5, poNumber: 'PO-9', cells: ['h1', '7'] }],
      },
    });
  });

  it.each([
    ['not an archive', bytes('Row ID,Reply Qty'), 'notXlsx'],
    ['another kind of archive', zipSync({ 'a.xml': strToU8('<a/>') }), 'notXlsx'],
    ['encrypted or in the old format', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1), 'locked'],
    ['truncated', xlsx(LABEL_ROW).slice(0, 300), 'damaged'],
    ['invalid inside', xlsx('<row r="1"><c></row>'), 'damaged'],
  ])('is refused if it is %s', async (_what, file, fault) => {
    expect(await readSheet(file, 'xlsx')).toEqual({ fault });
  });
});
