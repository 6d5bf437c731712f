import { describe, expect, it } from '@jest/globals';
import { SHEET, sheetOf, workbook } from '../../fixtures/workbook.js';
import { readSheet } from './read-sheet.js';

const MIB = 1024 * 1024;

const text = (label: string) => `<c t="inlineStr"><is><t>${label}</t></is></c>`;
const LABELS = `<row>${text('Row ID')}${text('PO Number')}</row>`;
/** The valid workbook with some parts replaced. */
const changed = (changes: Record<string, string | Uint8Array>) =>
  workbook({ [SHEET]: sheetOf(`${LABELS}<row>${text('h')}</row>`), ...changes });
const read = (changes: Record<string, string | Uint8Array>) => readSheet(changed(changes), 'xlsx');
const DAMAGED = { fault: 'damaged' };

/** The same archive with a false uncompressed size for one part. */
function withFalseSize(file: Uint8Array, path: string, size: number): Uint8Array {
  const forged = Buffer.from(file);
  forged.writeUInt32LE(size, forged.lastIndexOf(path) - 46 + 24);
  return forged;
}

it('the unchanged workbook of these tests is readable', async () => {
  expect(await read({})).toMatchObject({ sheet: { rows: [{ row: 2, cells: ['h'] }] } });
});

// The content of the parts is parsed by the gateway's code, whose tests cover malformed content.
describe('a zip bomb', () => {
  it.each([1_000, 5 * MIB, 4_000_000_000])('of 4 MiB with a declared size of %d bytes is refused', async (size) => {
    const file = changed({ [SHEET]: sheetOf(LABELS + ' '.repeat(4 * MIB)) });
    expect(await readSheet(withFalseSize(file, SHEET, size), 'xlsx')).toEqual(DAMAGED);
  });

  it('with too many parts is refused', async () => {
    expect(await read(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`x/${at}`, ''])))).toEqual(DAMAGED);
  });

  it('with more than 150,000 rows is refused, as workbook and as CSV', async () => {
    const rows = (count: number) => ({ [SHEET]: sheetOf(LABELS + `<row><c><v>1</v></c></row>`.repeat(count)) });
    expect(await read(rows(150_000))).toMatchObject({ sheet: { rows: { length: 150_000 } } });
    expect(await read(rows(150_001))).toEqual({ fault: 'manyRows' });
    const lines = new TextEncoder().encode(`Row ID\n${'x\n'.repeat(150_001)}`);
    expect(await readSheet(lines, 'csv')).toEqual({ fault: 'manyRows' });
  });
});
