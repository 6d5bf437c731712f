import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { strToU8 } from 'fflate';
import { BOOK, SHEET, TEXTS, sheetOf, workbook } from '../../fixtures/workbook.js';
import { readSheet } from './read-sheet.js';

const MIB = 1024 * 1024;

const text = (label: string) => `<c t="inlineStr"><is><t>${label}</t></is></c>`;
const LABELS = `<row>${text('Row ID')}${text('PO Number')}</row>`;
/** With these parts instead of those that are read. */
const changed = (changes: Record<string, string | Uint8Array>) =>
  workbook({ [SHEET]: sheetOf(`${LABELS}<row>${text('h')}</row>`), ...changes });
const read = (changes: Record<string, string | Uint8Array>) => readSheet(changed(changes), 'xlsx');
const DAMAGED = { fault: 'damaged' };

/** The same archive, of which one part is said to be of another size when it is unpacked. */
function saying(file: Uint8Array, path: string, size: number): Uint8Array {
  const lied = Buffer.from(file);
  lied.writeUInt32LE(size, lied.lastIndexOf(path) - 46 + 24);
  return lied;
}

it('what the others are made of is read', async () => {
  expect(await read({})).toMatchObject({ sheet: { rows: [{ row: 2, cells: ['h'] }] } });
});

describe('a bomb', () => {
  it('of spaces, which would be read, is not unpacked', async () => {
    const sheet = new Uint8Array(129 * MIB).fill(0x20);
    sheet.set(strToU8(sheetOf(LABELS)));
    const file = changed({ [SHEET]: sheet });
    expect(file.length).toBeLessThan(MIB);
    expect(await readSheet(file, 'xlsx')).toEqual(DAMAGED);
  });

  it.each([1_000, 5 * MIB, 4_000_000_000])('of 4 MiB that says it has %d bytes is not believed', async (size) => {
    const file = changed({ [SHEET]: sheetOf(LABELS + ' '.repeat(4 * MIB)) });
    expect(await readSheet(saying(file, SHEET, size), 'xlsx')).toEqual(DAMAGED);
  });

  it('of parts, of texts', async () => {
    expect(await read(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`x/${at}`, ''])))).toEqual(DAMAGED);
    expect(await read({ [TEXTS]: `<sst>${'<si/>'.repeat(500_001)}</sst>` })).toEqual(DAMAGED);
  });

  it('of rows is told how many there may be', async () => {
    const rows = (count: number) => ({ [SHEET]: sheetOf(LABELS + `<row><c><v>1</v></c></row>`.repeat(count)) });
    expect(await read(rows(150_000))).toMatchObject({ sheet: { rows: { length: 150_000 } } });
    expect(await read(rows(150_001))).toEqual({ fault: 'manyRows' });
    const lines = new TextEncoder().encode(`Row ID\n${'x\n'.repeat(150_001)}`);
    expect(await readSheet(lines, 'csv')).toEqual({ fault: 'manyRows' });
  });
});

describe('a part', () => {
  // Each would be read without its limit.
  it.each([
    ['elements inside of each other', '', `${'<y>'.repeat(100)}${'</y>'.repeat(100)}`],
    ['attributes', '', `<y ${Array.from({ length: 300 }, (_, at) => `a${at}=""`).join(' ')}/>`],
    ['entities', '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>', ''],
    ['a document type that is elsewhere', '<!DOCTYPE x SYSTEM "file:///etc/passwd">', ''],
  ])('of %s is refused', async (_what, above, inside) => {
    expect(await read({ [SHEET]: above + sheetOf(LABELS + inside) })).toEqual(DAMAGED);
    expect(await read({ [TEXTS]: `${above}<sst>${inside}</sst>` })).toEqual(DAMAGED);
    const book = `<workbook xmlns:r="r"><sheets><sheet r:id="r2"/></sheets>${inside}</workbook>`;
    expect(await read({ [BOOK]: above + book })).toEqual(DAMAGED);
  });

  it('of bytes of no encoding is refused', async () => {
    const bytes = strToU8(sheetOf(LABELS + text('?')));
    expect(await read({ [SHEET]: bytes.map((byte) => (byte === 0x3f ? 0xff : byte)) })).toEqual(DAMAGED);
  });

  it.each([
    '<row r="1000000000"/>',
    '<row r="2"/><row r="1"/>',
    '<row r="1"/><row r="1"/>',
    '<row r="1"><c r="XFE1"/></row>',
    `${LABELS}<row><c t="s"><v>4</v></c></row>`,
  ])('with %s makes no sense', async (rows) => {
    expect(await read({ [SHEET]: sheetOf(rows) })).toEqual(DAMAGED);
  });
});

it('whatever is done to the bytes of a workbook, it is read or refused', async () => {
  const file = changed({});
  const change = fc.record({ at: fc.nat(file.length - 1), byte: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 4 }), fc.nat(file.length), async (changes, length) => {
      const damaged = file.slice();
      for (const { at, byte } of changes) damaged[at] = byte;
      for (const bytes of [damaged, damaged.subarray(0, length), damaged.subarray(length)]) {
        const answer = await readSheet(bytes, 'xlsx');
        expect(['sheet', 'fault']).toContain(Object.keys(answer)[0]);
      }
    }),
    { numRuns: 300 },
  );
});
