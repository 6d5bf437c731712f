import { describe, expect, it } from '@jest/globals';
import type { ProblemError } from '@po/contracts';
import fc from 'fast-check';
import { LABELS, RELATIONS_WITH_STYLES, sheetXml, workbookOf, workbookParts, zipOf } from '../fixtures/workbooks.js';
import { SerialQueue } from './serial-queue.js';
import { tableOfXlsx } from './xlsx-reader.js';

const MIB = 1024 * 1024;
const SHEET = 'xl/worksheets/sheet1.xml';

/** Code and reasons of a refusal; 'read' if the file is accepted. */
const refusalOf = (bytes: Buffer): Promise<unknown[]> =>
  tableOfXlsx(bytes, new SerialQueue()).then(
    () => ['read'],
    ({ code, options }: ProblemError) => [code, options?.hidden?.reason, options?.hidden?.reasonZh],
  );
const refused = (reason: string) => [
  'BAD_REQUEST',
  expect.stringContaining(reason),
  expect.stringMatching(/\p{Script=Han}/u),
];

describe('a file that is not a workbook', () => {
  it.each<[string, Buffer, string]>([
    ['an empty file', Buffer.alloc(0), 'is not an Excel workbook'],
    ['a CSV', Buffer.from('Row ID,Reply Qty\r\n'), 'is not an Excel workbook'],
    [
      'an .xls, or a workbook with a password',
      Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
      'has a password or the older format',
    ],
    ['the beginning of an archive', Buffer.from('504b03040000', 'hex'), 'damaged'],
  ])('is refused: %s', async (_what, bytes, reason) => {
    expect(await refusalOf(bytes)).toEqual(refused(reason));
  });

  it('is refused if it is an archive of something else', async () => {
    expect(await refusalOf(await zipOf({ 'readme.txt': 'hello' }))).toEqual(refused('damaged'));
    expect(await refusalOf(await workbookOf('', { 'xl/workbook.xml': '<workbook/>' }))).toEqual(
      refused('is not an Excel workbook'),
    );
    expect(await refusalOf(await workbookOf('', { 'xl/workbook.xml': null }))).toEqual(
      refused('is not an Excel workbook'),
    );
    expect(await refusalOf(await workbookOf('', { [SHEET]: null }))).toEqual(refused('damaged'));
  });
});

describe('a zip bomb', () => {
  it.each(['xl/sharedStrings.xml', SHEET, 'xl/workbook.xml', '_rels/.rels'])(
    'of spaces in %s is not unpacked',
    async (path) => {
      const file = await workbookOf('', { [path]: Buffer.alloc(17 * MIB, ' ') });
      expect(file.length).toBeLessThan(MIB);
      expect(await refusalOf(file)).toEqual(refused('more than 16 MiB'));
    },
  );

  it('spread over several parts is not unpacked, because the limit applies to the whole workbook', async () => {
    const spaces = Buffer.alloc(9 * MIB, ' ');
    const texts = Buffer.concat([Buffer.from('<sst>'), spaces, Buffer.from('</sst>')]);
    const sheet = Buffer.from(sheetXml(spaces.toString()));
    expect(await refusalOf(await workbookOf('', { 'xl/sharedStrings.xml': texts }))).toEqual(['read']);
    expect(await refusalOf(await workbookOf('', { 'xl/sharedStrings.xml': texts, [SHEET]: sheet }))).toEqual(
      refused('more than 16 MiB'),
    );
  });

  it('that understates its size is unpacked no further than that size', async () => {
    const file = await workbookOf('', { [SHEET]: Buffer.alloc(4 * MIB, ' ') });
    const lied = Buffer.from(file);
    const entry = lied.lastIndexOf(SHEET) - 46;
    expect(lied.readUInt32LE(entry + 24)).toBe(4 * MIB);
    lied.writeUInt32LE(1_000, entry + 24);
    expect(await refusalOf(lied)).toEqual(refused('damaged'));
  });

  it('of too many entries or texts is refused', async () => {
    const entries = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`x/${index}`, '']));
    expect(await refusalOf(await zipOf({ ...workbookParts(''), ...entries }))).toEqual(refused('more than 2000 parts'));
    const texts = `<sst>${'<si/>'.repeat(500_001)}</sst>`;
    expect(await refusalOf(await workbookOf('', { 'xl/sharedStrings.xml': texts }))).toEqual(
      refused('more than 500000 texts'),
    );
  });

  it('of too many formats is refused', async () => {
    const rels = { 'xl/_rels/workbook.xml.rels': RELATIONS_WITH_STYLES };
    const formats = (count: number) => `<styleSheet><cellXfs>${'<xf/>'.repeat(count)}</cellXfs></styleSheet>`;
    const file = (styles: string | Buffer) => workbookOf('', { ...rels, 'xl/styles.xml': styles });
    expect(await refusalOf(await file(formats(100_000)))).toEqual(['read']);
    expect(await refusalOf(await file(formats(100_001)))).toEqual(refused('damaged'));
    expect(await refusalOf(await file(Buffer.alloc(17 * MIB, ' ')))).toEqual(refused('more than 16 MiB'));
    const codes = Array.from(
      { length: 1_000 },
      (_, at) => `<numFmt numFmtId="${at}" formatCode="${'[h'.repeat(5_000)}"/>`,
    );
    expect(await refusalOf(await file(`<styleSheet>${codes.join('')}</styleSheet>`))).toEqual(['read']);
  });

  it('of sheets and relationships is refused after one pass', async () => {
    const many = (element: (index: number) => string) =>
      Array.from({ length: 150_000 }, (_, at) => element(at)).join('');
    const relation = (at: number) => `<Relationship Id="r${at}" Type="x/chartsheet" Target="x"/>`;
    const file = await workbookOf('', {
      'xl/workbook.xml': `<workbook><sheets>${many((at) => `<sheet r:id="r${at}"/>`)}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${many(relation)}</Relationships>`,
    });
    expect(await refusalOf(file)).toEqual(refused('is not an Excel workbook'));
  });

  it('of nested elements or attributes is refused', async () => {
    const deep = `<x>${'<y>'.repeat(100_000)}`;
    const many = `<x ${Array.from({ length: 1_000 }, (_, index) => `a${index}=""`).join(' ')}/>`;
    for (const path of [SHEET, 'xl/sharedStrings.xml', 'xl/workbook.xml']) {
      for (const xml of [deep, many])
        expect(await refusalOf(await workbookOf('', { [path]: xml }))).toEqual(refused('damaged'));
    }
  });

  it('of entities is refused at their declaration', async () => {
    const entities = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>';
    for (const path of [SHEET, 'xl/sharedStrings.xml', 'xl/workbook.xml']) {
      expect(await refusalOf(await workbookOf('', { [path]: `${entities}<x>&b;</x>` }))).toEqual(refused('damaged'));
    }
    const external = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>';
    expect(await refusalOf(await workbookOf('', { [SHEET]: external }))).toEqual(refused('damaged'));
  });
});

describe('a malformed sheet', () => {
  it.each([
    '<row r="2"/><row r="1"/>',
    '<row r="1"/><row r="1"/>',
    '<row r="1048577"/>',
    '<row r="0"/>',
    '<row r="x"/>',
    '<row r="1"><c r="XFE1"/></row>',
    '<row r="1"><c r="ZZZZ1"/></row>',
    '<row r="1"><c r="1A"/></row>',
    '<c r="A1"/>',
    `${LABELS}<row r="2"><c r="A2" t="s"><v>4</v></c></row>`,
    `${LABELS}<row r="2"><c r="A2" t="s"><v>__proto__</v></c></row>`,
    '<row r="1"><c></row>',
    '<row r="1">&nbsp;</row>',
  ])('is refused: %s', async (rows) => {
    expect(await refusalOf(await workbookOf(rows))).toEqual(refused('damaged'));
  });

  it('is refused if it is not UTF-8 or not complete', async () => {
    const latin1 = Buffer.from(sheetXml('<row r="1"><c r="A1" t="inlineStr"><is><t>é</t></is></c></row>'), 'latin1');
    expect(await refusalOf(await workbookOf('', { [SHEET]: latin1 }))).toEqual(refused('damaged'));
    expect(await refusalOf(await workbookOf('', { [SHEET]: sheetXml(LABELS).slice(0, -5) }))).toEqual(
      refused('damaged'),
    );
  });
});

it('a sheet of 16,384 columns is read, and its cells in unknown columns are not kept', async () => {
  const cells = (row: number, value: string) => `<row r="${row}">${`<c${value}</c>`.repeat(16_384)}</row>`;
  const rows = LABELS + [2, 3, 4].map((row) => cells(row, '><v>7</v>')).join('');
  expect((await tableOfXlsx(await workbookOf(rows), new SerialQueue())).rows).toHaveLength(3);
  expect(await refusalOf(await workbookOf(LABELS + cells(2, '><v>7</v>').replace('</row>', '<c/></row>')))).toEqual(
    refused('damaged'),
  );
});

it('a workbook with any bytes changed is either read or refused, and nothing else happens', async () => {
  const file = await workbookOf(`${LABELS}<row r="2"><c r="A2"><v>1</v></c></row>`);
  const change = fc.record({ at: fc.nat(file.length - 1), byte: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 4 }), fc.nat(file.length), async (changes, length) => {
      const changed = Buffer.from(file);
      for (const { at, byte } of changes) changed[at] = byte;
      for (const bytes of [changed, changed.subarray(0, length), changed.subarray(length)]) {
        expect(['read', 'BAD_REQUEST']).toContain((await refusalOf(bytes))[0]);
      }
    }),
    { numRuns: 300 },
  );
});
