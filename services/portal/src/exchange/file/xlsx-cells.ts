import type { FileRow } from './sheet.js';

/** Spreadsheet programs calculate with 17 digits and show 15: what is behind them nobody entered. */
const SHOWN_DIGITS = 15;
/** Stands for a formula without a stored value. The API takes no such text for a value, and says so of its cell. */
const UNCALCULATED = '=?';
const REFERENCE = /^([A-Z]{1,3})\d{1,7}$/;

/** A text of a cell, which may be cut into runs; how it is pronounced is no part of it. */
class RichText {
  value = '';
  private isText = false;
  private isPhonetic = false;

  begin(): void {
    this.value = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.isPhonetic = true;
    this.isText = name === 't' && !this.isPhonetic;
  }

  close(name: string): void {
    if (name === 'rPh') this.isPhonetic = false;
    if (name === 't') this.isText = false;
  }

  text(text: string): void {
    if (this.isText) this.value += text;
  }
}

/** The texts that cells share. */
export class SharedTexts extends RichText {
  readonly texts: string[] = [];

  override open(name: string): void {
    if (name === 'si') this.begin();
    super.open(name);
  }

  override close(name: string): void {
    super.close(name);
    if (name === 'si') this.texts.push(this.value);
  }
}

/** The cells of a sheet as texts, row by row. */
export class SheetCells {
  readonly rows: FileRow[] = [];
  private row = 0;
  private cells: string[] = [];
  private position = -1;
  private type = 'n';
  private isFormula = false;
  private isValue = false;
  private value = '';
  private readonly inline = new RichText();

  constructor(private readonly shared: readonly string[]) {}

  open(name: string, { r, t }: Record<string, string>): void {
    if (name === 'row') {
      this.row = r === undefined ? this.row + 1 : Number(r);
      this.cells = [];
      this.position = -1;
    } else if (name === 'c') {
      this.position = r === undefined ? this.position + 1 : positionOf(r);
      this.type = t ?? 'n';
      this.isFormula = false;
      this.value = '';
      this.inline.begin();
    } else if (name === 'f') this.isFormula = true;
    else if (name === 'v') this.isValue = true;
    else this.inline.open(name);
  }

  close(name: string): void {
    if (name === 'row') this.rows.push({ row: this.row, cells: this.cells });
    else if (name === 'c') this.cells[this.position] = this.cellValue();
    else if (name === 'v') this.isValue = false;
    else this.inline.close(name);
  }

  text(text: string): void {
    if (this.isValue) this.value += text;
    else this.inline.text(text);
  }

  private cellValue(): string {
    const { value, type } = this;
    // A formula that gives an empty text is calculated, too.
    if (this.isFormula && type !== 'str' && value === '') return UNCALCULATED;
    if (type === 's') return this.shared[Number(value)] ?? '';
    if (type === 'inlineStr') return this.inline.value;
    return type === 'n' ? numberIn(value.trim()) : value;
  }
}

function numberIn(text: string): string {
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? text : decimal(Number(number.toPrecision(SHOWN_DIGITS)));
}

/** Without an exponent, which is no number for the API's reader of texts. */
const decimal = (number: number): string =>
  number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });

function positionOf(reference: string): number {
  const [, letters] = REFERENCE.exec(reference) ?? [];
  if (letters === undefined) throw new Error(`${reference.slice(0, 20)} is no cell`);
  return letters.split('').reduce((position, letter) => position * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
