import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';

/** Column headers. The readers ignore the column of notes. */
const LABELS = ['Notes', ' po  number', '行标识', 'Reply Qty', 'REPLY PRICE'];
const PLAIN_LABELS = LABELS.map((label) => (label === '行标识' ? 'Row ID' : label));

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${REL}/${kind}" Target="${target}"/>`;

/** GBK bytes of the characters outside ASCII. */
const GBK: Readonly<Record<string, number[]>> = { 海: [0xba, 0xa3], 军: [0xbe, 0xfc], 蓝: [0xc0, 0xb6] };

const ENCODINGS: Readonly<Record<string, { beside: string[]; encode: (text: string) => Uint8Array }>> = {
  utf8: { beside: ['海', '😀'], encode: (text) => Buffer.from(text) },
  'utf8 with a byte order mark': { beside: ['军'], encode: (text) => Buffer.from(`\ufeff${text}`) },
  utf16le: { beside: ['蓝'], encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le') },
  utf16be: { beside: ['海'], encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16() },
  gbk: {
    beside: Object.keys(GBK),
    encode: (text) => Uint8Array.from(text.split('').flatMap((one) => GBK[one] ?? [one.charCodeAt(0)])),
  },
  'windows-1252': { beside: ['é', 'Ü'], encode: (text) => Buffer.from(text, 'latin1') },
};

const VALUES = [
  '5',
  ' 12.5',
  '1.250',
  '１．１２５',
  '0.125',
  '12,50',
  'clear',
  '清除',
  '１２',
  '1e5',
  '+5',
  '-1',
  '=1',
  '00',
  '9999999',
  'x'.repeat(120),
];
const ORDERS = ['PO-1', 'po-1 ', 'PO-2', 'ＰＯ-2', ''];

/** Rows with the number of empty rows before each, and the texts of their columns. */
const rowsOf = (text: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.array(
    fc.record({
      gap: fc.nat({ max: 2 }),
      cells: fc.tuple(text, fc.constantFrom(...ORDERS), fc.oneof(text, fc.constant('ab12')), value, value),
    }),
    { maxLength: 8 },
  );

/** CSVs in all encodings, with all delimiters and line breaks. */
export const csvs: fc.Arbitrary<Uint8Array> = fc
  .constantFrom(...Object.values(ENCODINGS))
  .chain(({ beside, encode }) => {
    const unit = fc.constantFrom('a', '1', '"', ',', ';', '\t', '\n', '\r\n', "'", '=', '+', ' ', '.', ...beside);
    const text = fc.string({ unit, maxLength: 6 });
    const isAscii = (value: string) => /^\p{ASCII}*$/u.test(value);
    const value = fc.oneof(text, fc.constantFrom(...VALUES.filter(isAscii)));
    const labels = beside.includes('é') || beside.length > 2 ? PLAIN_LABELS : LABELS;
    return fc
      .record({
        rows: rowsOf(text, value),
        delimiter: fc.constantFrom(',', ';', '\t'),
        end: fc.constantFrom('\r\n', '\n', '\r'),
        filler: fc.boolean(),
        quotesAll: fc.boolean(),
        endsAtLast: fc.boolean(),
      })
      .map(({ rows, delimiter, end, filler, quotesAll, endsAtLast }) => {
        const ascii = (cell: string) => (labels === PLAIN_LABELS ? cell.normalize('NFKC') : cell);
        const quoted = (cell: string) =>
          quotesAll || /^"|[,;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
        const line = (cells: readonly string[]) => cells.map(quoted).join(delimiter);
        const empty = filler ? delimiter.repeat(4) : '';
        const lines = rows.flatMap(({ gap, cells: [note, order, ...rest] }) => [
          ...Array.from({ length: gap }, () => empty),
          line([note, ascii(order), ...rest]),
        ]);
        return encode([line(labels), ...lines].join(end) + (endsAtLast ? '' : end));
      });
  });

const SHARED = [
  '<t>po-2</t>',
  '<r><t>ab</t></r><r><rPr/><t>12</t></r><rPh><t>x</t></rPh>',
  '<t/>',
  "<t>'+5</t>",
  '<t>7</t>',
];
const inline = (text: string) =>
  ` t="inlineStr"><is><t>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;

/** XML after `<c r="A1"`: numbers as calculated, texts of all kinds, formulas, dates, errors and booleans. */
const cellXml = fc.oneof(
  fc
    .constantFrom(
      '5',
      '12.299999999999999',
      '0.30000000000000004',
      '1E-4',
      '1.125',
      '1e-7',
      '-0',
      '1e21',
      '1e300',
      'NaN',
      '46027',
    )
    .map((number) => `><v>${number}</v></c>`),
  fc.nat({ max: SHARED.length - 1 }).map((index) => ` t="s"><v>${index}</v></c>`),
  fc.constantFrom(...VALUES, '=2', "'=2", "''+5", "a;'=2", "a\t'＝2", '<&"', '海\n军', ' ').map(inline),
  fc.constantFrom(
    ' s="1"/>',
    ' s="1"><v>46085</v></c>',
    ' s="2"><v>0.5</v></c>',
    ' s="2"><f>1/2</f><v>0.5</v></c>',
    '><v></v></c>',
    '><f>1+1</f></c>',
    '><f>1+1</f><v/></c>',
    '><f>1+1</f><v>2</v></c>',
    ' t="str"><f>A1</f><v></v></c>',
    ' t="str"><f>A1</f></c>',
    ' t="str"><f>A1</f><v>clear</v></c>',
    ' t="b"><v>1</v></c>',
    ' t="b"><v>0</v></c>',
    ' t="e"><v>#REF!</v></c>',
    ' t="d"><v>2026-01-05</v></c>',
    ' t="inlineStr"><is><t><![CDATA[12]]></t></is></c>',
  ),
);

/** Workbooks whose first sheet is hidden. */
export const workbooks: fc.Arbitrary<Uint8Array> = fc
  .record({
    rows: fc.array(fc.record({ gap: fc.nat({ max: 2 }), cells: fc.array(cellXml, { minLength: 1, maxLength: 5 }) }), {
      maxLength: 8,
    }),
    named: fc.boolean(),
  })
  .map(({ rows, named }) => {
    let number = 0;
    const row = (gap: number, cells: readonly string[]) => {
      number += gap + 1;
      const at = named ? ` r="${number}"` : '';
      const place = (column: number) => (named ? ` r="${String.fromCharCode(65 + column)}${number}"` : '');
      const before = named ? '' : '<row/>'.repeat(gap);
      return `${before}<row${at}>${cells.map((cell, column) => `<c${place(column)}${cell}`).join('')}</row>`;
    };
    const xml = [row(0, LABELS.map(inline)), ...rows.map(({ gap, cells }) => row(gap, cells))].join('');
    return zipSync({
      '_rels/.rels': strToU8(`<R>${relation('a', 'officeDocument', 'xl/workbook.xml')}</R>`),
      'xl/workbook.xml': strToU8('<w><s><sheet state="hidden" q:id="r1"/><sheet q:id="r2"/></s></w>'),
      'xl/_rels/workbook.xml.rels': strToU8(
        `<R>${relation('r1', 'worksheet', 'worksheets/a.xml')}${relation('r2', 'worksheet', '/xl/worksheets/b b.xml')}` +
          `${relation('r3', 'sharedStrings', 'texts.xml')}${relation('r4', 'styles', 'styles.xml')}</R>`,
      ),
      'xl/styles.xml': strToU8('<s><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs></s>'),
      'xl/texts.xml': strToU8(`<sst>${SHARED.map((text) => `<si>${text}</si>`).join('')}</sst>`),
      'xl/worksheets/a.xml': strToU8(`<w><row>${LABELS.map((label) => `<c${inline(label)}`).join('')}</row></w>`),
      'xl/worksheets/b b.xml': strToU8(`<w><sheetData>${xml}</sheetData></w>`),
    });
  });
