import { describe, expect, it } from '@jest/globals';
import type { Cell, Placed } from '../rows.js';
import { readWorkbook } from './workbook.js';

const ZIP = new Uint8Array([0x50, 0x4b]);

const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="http://x/${kind}" Target="${target}"/>`;
const relations = (...all: string[]) => `<Relationships>${all.join('')}</Relationships>`;
const sheet = (label: string) =>
  `<worksheet><sheetData><row><c t="inlineStr"><is><t>${label}</t></is></c></row><row><c><v>7</v></c></row></sheetData></worksheet>`;

/** Reads the rows of a workbook with these parts, delivered in chunks of 7 bytes. */
async function read(parts: Record<string, string>): Promise<unknown[]> {
  const rows: unknown[] = [];
  const archive = {
    has: (name: string) => name in parts,
    async *read(name: string) {
      const bytes = new TextEncoder().encode(parts[name]);
      for (let from = 0; from < bytes.length; from += 7) yield await Promise.resolve(bytes.subarray(from, from + 7));
    },
  };
  const taken = {
    labels: (cells: Iterable<Placed<string>>) => void rows.push([...cells]),
    reads: () => true,
    row: (row: number, cells: Iterable<Placed<Cell>>) => rows.push([row, ...cells]) > 0,
  };
  await readWorkbook(
    ZIP,
    () => archive,
    taken,
    (work) => work(),
  );
  return rows;
}

describe('the first visible sheet of a workbook', () => {
  it.each([
    ['relative to the workbook', 'xl/book.xml', 'sheets/一.xml', 'xl/sheets/一.xml'],
    ['from the root of the archive', '/xl/book.xml', '/sheets/a b.xml', 'sheets/a b.xml'],
    ['in a parent folder', './xl/./book.xml', '../../sheets/%20.xml', 'sheets/%20.xml'],
    ['next to a workbook in the root folder', 'book.xml', 'sheet.xml', 'sheet.xml'],
  ])('is found by a path %s', async (_where, book, target, path) => {
    const folder = book.includes('xl/') ? 'xl/' : '';
    const rows = await read({
      '_rels/.rels': relations(relation('r1', 'officeDocument', book)),
      [`${folder}book.xml`]:
        '<b><sheet state="hidden" x:id="r1"/><sheet state="veryHidden" x:id="r1"/><sheet x:id="r2"/><sheet x:id="r3"/><sheet x:id="r4"/></b>',
      [`${folder}_rels/book.xml.rels`]: relations(
        relation('r1', 'worksheet', 'hidden.xml'),
        relation('r2', 'chartsheet', 'chart.xml'),
        relation('r3', 'worksheet', target),
        relation('r4', 'worksheet', 'second.xml'),
      ),
      [path]: sheet('数量'),
    });
    expect(rows).toEqual([[[0, '数量']], [2, [0, 7]]]);
  });
});
