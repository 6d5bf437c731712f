import { type Cell, MAX_CELL_LENGTH, type Placed, type Rows } from '../rows.js';
import type { NumberKind } from './number-formats.js';
import { CellText, appended } from './texts.js';
import type { Elements } from './xml-reader.js';

const MAX_COLUMN = 16_384;
const MAX_ROW = 1_048_576;
const REFERENCE = /^([A-Z]{1,3})\d{1,7}$/;
/** Spreadsheet programs calculate with 17 digits and show 15; users have not entered the remaining digits. */
const SHOWN_DIGITS = 15;

interface OpenCell {
  position: number;
  type: string;
  format: number;
  isFormula: boolean;
  /** Null if no value is stored. */
  value: string | null;
}

/** Reads the rows of a sheet: the labels from row 1, and of the other rows the cells in the needed columns. */
export class SheetRows implements Elements {
  /** Elements after the data, such as the anchor of a form control, also contain rows. */
  private isData = false;
  private row = 0;
  private position = -1;
  private cell: OpenCell | null = null;
  private isValue = false;
  private readonly inline = new CellText();
  private cells: Placed<Cell>[] = [];
  private isFilled = false;
  private isEnough = false;

  constructor(
    private readonly rows: Rows,
    private readonly shared: readonly string[],
    /** Kinds of the cell formats; a cell without a format uses the first. */
    private readonly kinds: readonly NumberKind[],
  ) {}

  enough(): boolean {
    return this.isEnough;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'sheetData') this.isData = true;
    else if (!this.isData) return;
    else if (name === 'row') this.beginRow(attributes.r);
    else if (name === 'c') this.beginCell(attributes);
    else if (this.cell) this.openIn(this.cell, name);
  }

  close(name: string): void {
    if (name === 'sheetData') this.isData = false;
    else if (!this.isData) return;
    else if (name === 'row') this.endRow();
    else if (name === 'c') this.endCell();
    else if (name === 'v') this.isValue = false;
    else this.inline.close(name);
  }

  text(text: string): void {
    if (!this.cell) return;
    if (this.isValue) this.cell.value = appended(this.cell.value ?? '', text);
    else this.inline.text(text);
  }

  private beginRow(number: string | undefined): void {
    const row = number === undefined ? this.row + 1 : Number(number);
    if (!(Number.isInteger(row) && row > this.row && row <= MAX_ROW)) throw new Error(`row ${number} is out of order`);
    this.row = row;
    this.position = -1;
    this.cells = [];
    this.isFilled = false;
  }

  private beginCell({ r: reference, t: type = 'n', s: format = '0' }: Record<string, string>): void {
    const position = reference === undefined ? this.position + 1 : positionOf(reference);
    if (this.row === 0 || position >= MAX_COLUMN) throw new Error(`cell ${reference} is outside the sheet`);
    this.position = position;
    this.cell = { position, type, format: Number(format), isFormula: false, value: null };
    this.inline.begin();
  }

  private openIn(cell: OpenCell, name: string): void {
    if (name === 'f') cell.isFormula = true;
    else if (name === 'v') {
      this.isValue = true;
      cell.value ??= '';
    } else this.inline.open(name);
  }

  private endCell(): void {
    const { cell } = this;
    this.cell = null;
    this.isValue = false;
    if (!cell || this.isEnough) return;
    const value = this.valueOf(cell);
    if (value === null || value === '') return;
    this.isFilled = true;
    if (this.row === 1 || this.rows.reads(cell.position)) this.cells.push([cell.position, value]);
  }

  private endRow(): void {
    if (this.isEnough) return;
    if (this.row === 1) this.rows.labels(this.cells.filter(isText));
    else if (this.isFilled) this.isEnough = !this.rows.row(this.row, this.cells);
  }

  private valueOf({ type, format, isFormula, value }: OpenCell): Cell {
    // A formula that results in an empty text is calculated: its stored value is empty, but not missing.
    if (isFormula && (value === null || (value === '' && type !== 'str'))) return { uncalculated: true };
    switch (type) {
      case 's':
        return value === null ? null : this.sharedText(value);
      case 'inlineStr':
        return this.inline.value;
      case 'n':
        return value === null ? null : shownAs(numberOf(value.trim()), this.kinds[format]);
      case 'b':
        return value === '1' ? 'TRUE' : 'FALSE';
      default:
        return value;
    }
  }

  private sharedText(index: string): string {
    const text = this.shared[Number(index)];
    if (text === undefined) throw new Error(`there is no shared text ${index.slice(0, 20)}`);
    return text;
  }
}

const isText = (placed: Placed<Cell>): placed is Placed<string> => typeof placed[1] === 'string';

function numberOf(text: string): Cell {
  const number = Number(text);
  if (text === '') return null;
  return Number.isFinite(number) && text.length <= MAX_CELL_LENGTH ? Number(number.toPrecision(SHOWN_DIGITS)) : text;
}

/** Converts dates and percentages to texts that no column accepts as numbers: the sheet shows 3-4 or 50%, not 46085 or 0.5. */
const shownAs = (value: Cell, kind: NumberKind = 'number'): Cell =>
  kind === 'number' || typeof value !== 'number' ? value : `${value} (${kind})`;

function positionOf(reference: string): number {
  const [, letters = ''] = REFERENCE.exec(reference) ?? [];
  if (letters === '') throw new Error(`${reference.slice(0, 20)} is not a cell reference`);
  return letters.split('').reduce((position, letter) => position * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
