import type { Elements } from './xml-reader.js';

/** What a number format shows a number as; a time is a date, too. */
export type NumberKind = 'number' | 'date' | 'percentage';

/** Some more than Excel takes, which is 65,490. */
const MAX_FORMATS = 100_000;
/** What Excel takes of a format's code. */
const MAX_CODE_LENGTH = 255;

/** Formats that have no code in the file; 27 to 36, 50 to 58 and 71 to 81 are those of East Asian and Thai programs. */
const DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
];
const PERCENTAGES = new Set([9, 10, 67, 68]);

/** Characters of a code that are shown, skipped or filled with as they are, and what is in brackets but elapsed time. */
const LITERALS = /"[^"]*"?|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gis;

/** Collects of the formats of a workbook's cells what each shows a number as. */
export class CellFormats implements Elements {
  /** In the order by which cells name their formats. */
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
    // Formats are attributes.
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
