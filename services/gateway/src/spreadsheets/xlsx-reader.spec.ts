import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { ImportCell, ImportTable } from '@po/contracts';
import { LABELS, RELATIONS_WITH_STYLES, sheetXml, workbookOf, workbookParts, zipOf } from '../fixtures/workbooks.js';
import { SerialQueue } from './serial-queue.js';
import { tableOfXlsx } from './xlsx-reader.js';

const read = (bytes: Buffer): Promise<ImportTable> => tableOfXlsx(bytes, new SerialQueue());
const valuesOf = ({ rows }: ImportTable) =>
  rows.map(({ row, rowHash, vendorReplyQty, vendorReplyUnitPrice }) => [
    row,
    rowHash,
    vendorReplyQty,
    vendorReplyUnitPrice,
  ]);
const golden = (name: string) => readFile(new URL(`../fixtures/workbooks/${name}`, import.meta.url));
const hash = (index: number) => String(index).padStart(32, 'a');

describe('a workbook of another program', () => {
  const REPLIES = [
    [2, hash(1), 90, 12.3],
    [3, hash(2), null, null],
    [4, hash(3), 'clear', '清除'],
    [5, hash(4), '100', '12.5'],
  ];
  const LARGEST = [8, hash(7), 9_999_999, 9_999_999_999.9999];

  it('(LibreOffice) is read: its first sheet that is not hidden, formulas by their stored value', async () => {
    const table = await read(await golden('libreoffice.xlsx'));
    expect(table.columns).toEqual({ rowHash: '行标识', vendorReplyQty: '回复数量', vendorReplyUnitPrice: '回复单价' });
    expect(valuesOf(table)).toEqual([
      ...REPLIES,
      [6, hash(5), 42, 12.3],
      [7, hash(6), 0, 0.0001],
      LARGEST,
      [10, null, null, null],
    ]);
  });

  it('(openpyxl) is read, with its formulas reported as uncalculated', async () => {
    const table = await read(await golden('openpyxl.xlsx'));
    expect(table.columns).toEqual({
      rowHash: 'Row ID',
      vendorReplyQty: 'reply  qty',
      vendorReplyUnitPrice: 'Reply Price',
    });
    const uncalculated = { uncalculated: true };
    expect(valuesOf(table)).toEqual([
      ...REPLIES,
      [6, hash(5), uncalculated, uncalculated],
      [7, hash(6), 0, 0.0001],
      LARGEST,
    ]);
  });
});

describe('an imported cell', () => {
  it.each<[string, ImportCell]>([
    ['<c r="B2"><v>5</v></c>', 5],
    ['<c r="B2" t="n"><v>1.5E3</v></c>', 1_500],
    ['<c r="B2"><v>12.299999999999999</v></c>', 12.3],
    ['<c r="B2"><v>0.30000000000000004</v></c>', 0.3],
    ['<c r="B2"><v></v></c>', null],
    ['<c r="B2" s="1"/>', null],
    ['<c r="B2" t="s"><v>1</v></c>', 'Reply Qty'],
    ['<c r="B2" t="s"><v>3</v></c>', null],
    ['<c r="B2" t="inlineStr"><is><r><t>cl</t></r><r><t>ear</t></r></is></c>', 'clear'],
    ['<c r="B2" t="inlineStr"><is><t> 清除 </t></is></c>', '清除'],
    ['<c r="B2" t="str"><f>A1</f><v>7</v></c>', '7'],
    ['<c r="B2" t="str"><f>A1</f><v></v></c>', null],
    ['<c r="B2" t="str"><f>A1</f></c>', { uncalculated: true }],
    ['<c r="B2"><f>1+1</f><v>2</v></c>', 2],
    ['<c r="B2"><f>1+1</f></c>', { uncalculated: true }],
    ['<c r="B2"><f>1+1</f><v/></c>', { uncalculated: true }],
    ['<c r="B2" t="b"><v>1</v></c>', 'TRUE'],
    ['<c r="B2" t="e"><v>#N/A</v></c>', '#N/A'],
    ['<c r="B2" t="d"><v>2026-01-05</v></c>', '2026-01-05'],
    ['<c r="B2"><v>NaN</v></c>', 'NaN'],
    ['<c r="B2"><v>1e999</v></c>', '1e999'],
    ['<c r="B2" t="inlineStr"><is><t>&lt;&amp;&#x27;<![CDATA[>]]></t></is></c>', "<&'>"],
  ])('%s is read as %j', async (cell, value) => {
    const table = await read(await workbookOf(`${LABELS}<row r="2"><c r="A2"><v>1</v></c>${cell}</row>`));
    expect(valuesOf(table)).toEqual([[2, 1, value, null]]);
  });

  it('is not a number if it shows a date, a time or a percentage', async () => {
    const numFmts = '<numFmts><numFmt numFmtId="164" formatCode="d/mmm"/></numFmts>';
    const ids = [0, 14, 9, 164, 2];
    const styles = `<styleSheet>${numFmts}<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${ids
      .map((id) => `<xf numFmtId="${id}"><alignment/></xf>`)
      .join('')}</cellXfs>`;
    // The styles are read only as far as an import needs them.
    const changes = { 'xl/styles.xml': `${styles}<broken`, 'xl/_rels/workbook.xml.rels': RELATIONS_WITH_STYLES };
    const cells = '<c r="A2" s="1"/><c r="B2" s="1"><v>46085</v></c><c r="C2" s="2"><v>0.5</v></c>';
    const others =
      '<c r="A3"><v>1</v></c><c r="B3" s="3"><f>NOW()</f><v>46085.25</v></c><c r="C3" s="4"><v>12.3</v></c>';
    const rows = `${LABELS}<row r="2">${cells}</row><row r="3">${others}</row>`;
    expect(valuesOf(await read(await workbookOf(rows, changes)))).toEqual([
      [2, null, '46085 (date)', '0.5 (percentage)'],
      [3, 1, '46085.25 (date)', 12.3],
    ]);
    // Programs do without styles that are missing.
    expect(valuesOf(await read(await workbookOf(rows, { ...changes, 'xl/styles.xml': null })))).toHaveLength(2);
  });

  it('with a price has an unclear point if it is a text, but not if it is a number', async () => {
    const price = (cell: string) => workbookOf(`${LABELS}<row r="2"><c r="A2"><v>7</v></c>${cell}</row>`);
    expect((await read(await price('<c r="C2"><v>1.125</v></c>'))).unclearPoints).toBeUndefined();
    expect((await read(await price('<c r="C2" t="str"><v>1.125</v></c>'))).unclearPoints).toBe(true);
  });

  it('with millions of characters is cut, and is not a valid value', async () => {
    const text = `<c r="A2" t="inlineStr"><is><t>${'a'.repeat(3_000_000)}</t></is></c><c r="B2"><v>${'0'.repeat(3_000_000)}5</v></c>`;
    const [[, rowHash, qty] = []] = valuesOf(await read(await workbookOf(`${LABELS}<row r="2">${text}</row>`)));
    expect([rowHash, qty]).toEqual(['a', '0'].map((character) => `${character.repeat(39)}…`));
  });
});

describe('imported rows', () => {
  it('are found without cell and row references, with any namespace prefix, and in the last columns', async () => {
    const bare =
      '<row><c t="s"><v>0</v></c><c/><c t="s"><v>1</v></c></row><row/><row><c><v>7</v></c><c/><c><v>8</v></c></row>';
    expect(valuesOf(await read(await workbookOf(bare)))).toEqual([[3, 7, 8, null]]);
    const prefixed = sheetXml(`${LABELS}<row r="9"><c r="A9"><v>7</v></c><c r="B9"><v>8</v></c></row>`)
      .replace('xmlns=', 'xmlns:x=')
      .replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:');
    const file = await zipOf({ ...workbookParts(''), 'xl/worksheets/sheet1.xml': prefixed });
    expect(valuesOf(await read(file))).toEqual([[9, 7, 8, null]]);
    const far =
      '<row r="1"><c r="XFC1" t="s"><v>1</v></c><c r="XFD1" t="s"><v>0</v></c></row><row r="2"><c r="XFC2"><v>3</v></c></row>';
    expect(valuesOf(await read(await workbookOf(far)))).toEqual([[2, null, 3, null]]);
  });

  it('are left out if they are formatted but empty, and kept for a note in another column', async () => {
    const rows =
      '<row r="2"><c r="A2" s="4"/><c r="B2" t="s"><v>3</v></c></row><row r="3"/><row r="4"><c r="J4"><v>1</v></c></row>';
    expect(valuesOf(await read(await workbookOf(LABELS + rows)))).toEqual([[4, null, null, null]]);
  });

  it('end with the data of the sheet: the anchor of a form control is not a row', async () => {
    const rows = `${LABELS}<row r="2"><c r="A2"><v>7</v></c><c r="B2"><v>8</v></c></row><row r="1048576"/>`;
    const anchor = '<anchor><from><xdr:col>1</xdr:col><xdr:row>3</xdr:row></from></anchor>';
    const controls = `<controls><control><controlPr>${anchor}</controlPr></control></controls>`;
    const sheet = sheetXml(rows).replace('</worksheet>', `${controls}</worksheet>`);
    expect(valuesOf(await read(await workbookOf('', { 'xl/worksheets/sheet1.xml': sheet })))).toEqual([
      [2, 7, 8, null],
    ]);
  });

  it('have their labels in row 1 only', async () => {
    expect((await read(await workbookOf(LABELS.replaceAll('1"', '2"')))).columns).toEqual({});
  });

  it('are at most 5,000, and the rest is not read', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => `<row r="${index + 2}"><c r="A${index + 2}"><v>1</v></c></row>`).join(
        '',
      );
    expect(await read(await workbookOf(LABELS + rows(5_000)))).toMatchObject({
      rows: { length: 5_000 },
      tooMany: null,
    });
    const sheet = `${sheetXml(LABELS + rows(100_000))}<broken`;
    const table = await read(await workbookOf('', { 'xl/worksheets/sheet1.xml': sheet }));
    expect(table).toMatchObject({ rows: { length: 5_000 }, tooMany: 5_002 });
  });
});

describe('the imported sheet', () => {
  it('needs no shared strings', async () => {
    const label = (column: string, text: string) => `<c r="${column}1" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rels =
      '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>';
    const table = await read(
      await workbookOf(`<row r="1">${label('A', 'Row ID')}${label('B', 'Reply Qty')}</row>`, {
        'xl/_rels/workbook.xml.rels': rels,
        'xl/sharedStrings.xml': null,
      }),
    );
    expect(table.columns).toEqual({ rowHash: 'Row ID', vendorReplyQty: 'Reply Qty' });
  });
});
