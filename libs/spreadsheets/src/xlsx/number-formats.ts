import type { Elements } from './xml-reader.js';

/** How a number format shows a number; a time counts as a date. */
export type NumberKind = 'number' | 'date' | 'percentage';

/** Maximum formats; slightly more than in Excel, which allows 65,490. */
const MAX_FORMATS = 100_000;
/** Maximum length of a format code in Excel. */
const MAX_CODE_LENGTH = 255;

/** Built-in formats, which have no code in the file. 27 to 36, 50 to 58 and 71 to 81 are from East Asian and Thai programs. */
const DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
];
const PERCENTAGES = new Set([9, 10, 67, 68]);

/** Parts of a format code that are shown literally, skipped or used as filling, and all in brackets except elapsed time. */
const LITERALS = /"[^"]*"?|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gis;

/** Collects how the cell formats of a workbook show numbers. */
export class CellFormats implements Elements {
  /** Indexed by the format number in the cells. */
  readonly kinds: NumberKind[] = [];
  private readonly custom = new Map<string, NumberKind>();
  private isCells = false;
  private isEnough = false;

  enough(): boolean {
    return this.isEnough;
  }

  open(name: string, { numFmtId = '0', formatCode = '' }: Record<string, string>): void {
    if (name === 'numFmt') this.custom.set(numFmtId, kindOf(formatCode.slice(0, MAX_CODE_LENGTH)));
    else if (name === 'cellXfs') this.isCells = true;
    else if (name === 'xf' && this.isCells) this.kinds.push(this.custom.get(numFmtId) ?? builtIn(Number(numFmtId)));
    if (this.custom.size + this.kinds.length > MAX_FORMATS) throw new Error('a workbook has too many formats');
  }

  close(name: string): void {
    this.isEnough ||= name === 'cellXfs';
  }

  text(): void {
    // Formats are in attributes, not in text.
  }
}

function kindOf(code: string): NumberKind {
  const placeholders = code.replaceAll(LITERALS, '');
  if (/[ymdhs]/i.test(placeholders)) return 'date';
  return placeholders.includes('%') ? 'percentage' : 'number';
}

function builtIn(id: number): NumberKind {
  if (PERCENTAGES.has(id)) return 'percentage';
  return DATES.some(([first, last]) => id >= first && id <= last) ? 'date' : 'number';
}
