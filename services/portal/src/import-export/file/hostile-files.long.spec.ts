import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { strToU8 } from 'fflate';
import { SHEET, sheetOf, workbook } from '../../fixtures/workbook.js';
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

// What is in the parts is read as in the gateway, whose tests have what may be wrong with that.
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

  it('of parts', async () => {
    expect(await read(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`x/${at}`, ''])))).toEqual(DAMAGED);
  });

  it('of rows is told how many there may be', async () => {
    const rows = (count: number) => ({ [SHEET]: sheetOf(LABELS + `<row><c><v>1</v></c></row>`.repeat(count)) });
    expect(await read(rows(150_000))).toMatchObject({ sheet: { rows: { length: 150_000 } } });
    expect(await read(rows(150_001))).toEqual({ fault: 'manyRows' });
    const lines = new TextEncoder().encode(`Row ID\n${'x\n'.repeat(150_001)}`);
    expect(await readSheet(lines, 'csv')).toEqual({ fault: 'manyRows' });
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
