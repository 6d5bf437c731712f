import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '@po/testing/any-character';
import { SaxesParser } from 'saxes';
import type { Kind, Value } from './columns.js';
import { escapeXml, labelRow, sheetRows } from './xlsx-cells.js';

const cell = (value: Value, kind: Kind) => /<row r="2">(.*)<\/row>/s.exec(sheetRows([[value]], [kind], 2))?.[1];

describe('sheetRows', () => {
  it.each<[Value, Kind, string]>([
    [null, 'text', ''],
    [12.5, 'number', '<c r="A2"><v>12.5</v></c>'],
    [0, 'number', '<c r="A2"><v>0</v></c>'],
    ['=1+1', 'text', '<c r="A2" s="2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>'],
    ['a<b>&"', 'text', '<c r="A2" s="2" t="inlineStr"><is><t xml:space="preserve">a&lt;b&gt;&amp;"</t></is></c>'],
    // Counted by hand in spreadsheet programs, which have a 1900-02-29.
    ['1900-01-01', 'date', '<c r="A2" s="3"><v>1</v></c>'],
    ['1900-02-28', 'date', '<c r="A2" s="3"><v>59</v></c>'],
    ['1900-03-01', 'date', '<c r="A2" s="3"><v>61</v></c>'],
    ['2026-01-05', 'date', '<c r="A2" s="3"><v>46027</v></c>'],
    ['9999-12-31', 'date', '<c r="A2" s="3"><v>2958465</v></c>'],
  ])('writes the cell %j as %s', (value, kind, xml) => {
    expect(cell(value, kind)).toBe(xml);
  });

  it('gives each cell a reference of its column and row', () => {
    const names = (xml: string) => [...xml.matchAll(/<c r="(\w+)"/g)].map(([, name]) => name);
    expect(
      names(
        sheetRows(
          [
            [1, 2],
            [3, 4],
          ],
          ['number', 'number'],
          1001,
        ),
      ),
    ).toEqual(['A1001', 'B1001', 'A1002', 'B1002']);
    expect(names(labelRow(Array.from({ length: 28 }, String))).slice(24)).toEqual(['Y1', 'Z1', 'AA1', 'AB1']);
  });
});

describe('escaped', () => {
  it.each([
    ['tab\tline\n', 'tab\tline\n'],
    ['a\u0001b\r', 'a_x0001_b_x000D_'],
    ['_x0041_', '_x005F_x0041_'],
    ['_x41_ __x0041_', '_x41_ __x005F_x0041_'],
    ['\uffff', '_xFFFF_'],
    ['😀', '😀'],
  ])('writes %j as %j', (text, written) => {
    expect(escapeXml(text)).toBe(written);
  });

  it('is reversed by any reader of XML and of workbooks', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.constantFrom('_', 'x', '0', '4', '1', '\r', '\u0000', '&', '<', ']'), anyCharacter),
        }),
        (text) => {
          let read = '';
          const parser = new SaxesParser();
          parser.on('text', (part) => (read += part));
          parser.on('error', (error) => {
            throw error;
          });
          parser.write(`<t>${escapeXml(text)}</t>`).close();
          const unescaped = read.replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) =>
            String.fromCharCode(parseInt(code, 16)),
          );
          expect(unescaped).toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });
});
