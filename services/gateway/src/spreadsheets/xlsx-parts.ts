import type { Kind } from './columns.js';
import { escapeXml } from './xlsx-cells.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const SHEET_PATH = 'xl/worksheets/sheet1.xml';

const WIDTHS: Readonly<Record<Kind, number>> = { text: 18, number: 14, date: 12 };

const relationships = (...entries: [type: string, target: string][]): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${entries
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** All parts of a workbook with one sheet, except the sheet itself, by path. */
export const workbookParts = (sheetName: string): Record<string, string> => ({
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/><Override PartName="/${SHEET_PATH}" ContentType="${CONTENT}.worksheet+xml"/></Types>`,
  '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
  'xl/_rels/workbook.xml.rels': relationships(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeXml(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/styles.xml': STYLES,
});

// The formats in the order of FORMATS: general, label (bold), text (also for digits only), date.
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** XML before the rows of a sheet; the label row stays visible when the rows are scrolled. */
export const sheetHead = (kinds: readonly Kind[]): string =>
  `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${kinds
    .map((kind, index) => `<col min="${index + 1}" max="${index + 1}" width="${WIDTHS[kind]}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`;

export const SHEET_TAIL = '</sheetData></worksheet>';
