import { MAX_PRICE, MAX_QTY } from '@po/contracts/constants';
import type { SlotKind } from '../lines/size-matrix.js';

/** Typed input: a value, null to restore the original, or the text itself if it is neither. */
export type Typed = number | string | null;

export type LimitError = 'decimals' | 'negative' | 'notWhole' | 'tooLarge';
export type InputError = LimitError | 'notNumber' | 'unclear' | 'zero';

/** Limits of the API. */
export const MAX_VALUE = { quantity: MAX_QTY, price: MAX_PRICE } as const;
const DECIMALS = { quantity: 0, price: 4 } as const;

/** Thousands grouped by commas, as in both languages, or by spaces. NFKC has already replaced full-width characters and special spaces. */
const GROUPED = /^-?\d{1,3}(?:([, ])\d{3})(?:\1\d{3})*(?:\.\d*)?$/;
const PLAIN = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;
/**
 * In a whole number, a point before three digits may separate thousands; in a number with decimals, such a comma may separate thousands or
 * decimals. The import of files refuses both too.
 */
const UNCLEAR = { whole: /^-?0*[1-9]\d*\.\d{3}$/, decimal: /^-?[\d ]*[1-9][\d ]*,\d{3}$/ } as const;
const DECIMAL_COMMA = /^([^.,]*),([^.,]*)$/;
/** "¥ 12.50", "12.50 USD". */
const CURRENCY = /^(?:[A-Z]{3}|[$¥€£])\s*(?=[-\d.])|(?<=[\d.])\s*(?:[A-Z]{3}|[$¥€£元])$/g;
/** Words for "no reply" in imported files. */
const CLEAR = new Set(['clear', '清除']);

/** Parses the text of a cell as people type it and spreadsheets copy it. */
export function parseInput(text: string, kind: SlotKind): Typed {
  const plain = plainOf(text, kind);
  if (plain === '' || CLEAR.has(plain.toLowerCase())) return null;
  const digits = digitsOf(plain, DECIMALS[kind]);
  return digits === null || valueErrorOf(digits, kind) !== null ? text.trim() : Number(digits);
}

/**
 * Parses copied text. Spreadsheets copy numbers as displayed, so that a point before three digits may separate thousands in a price too, as
 * in imported files.
 */
export const parseCopied = (text: string, kind: SlotKind): Typed =>
  UNCLEAR.whole.test(plainOf(text, kind)) ? text.trim() : parseInput(text, kind);

/** How to parse the text of a field after an input: as copied if that was pasted or dropped. */
export const parserAfter = ({ inputType }: InputEvent): typeof parseInput =>
  inputType?.startsWith('insertFrom') ? parseCopied : parseInput;

/** Why typed input is not a valid value; null if it is. */
export function inputErrorOf(typed: Typed, kind: SlotKind): InputError | null {
  if (typeof typed !== 'string') return null;
  const plain = plainOf(typed, kind);
  if (isUnclear(plain, DECIMALS[kind])) return 'unclear';
  const digits = digitsOf(plain, DECIMALS[kind]);
  // A valid number is kept as text only if it was copied.
  return digits === null ? 'notNumber' : (valueErrorOf(digits, kind) ?? 'unclear');
}

function plainOf(text: string, kind: SlotKind): string {
  const plain = text.normalize('NFKC').trim().replace(/^'/, '');
  return kind === 'price' ? plain.replaceAll(CURRENCY, '') : plain;
}

/** Whether the number can be read in two ways, depending on what its separator means. */
export const isUnclear = (plain: string, decimals: number): boolean =>
  UNCLEAR[decimals === 0 ? 'whole' : 'decimal'].test(plain);

/**
 * Digits without grouping and trailing zeros: a spreadsheet may show a quantity as "120.00". A comma separates decimals where they are
 * allowed. Null if the text is not a number, or is unclear.
 */
export function digitsOf(plain: string, decimals: number): string | null {
  if (isUnclear(plain, decimals)) return null;
  const number = decimals === 0 ? plain : plain.replace(DECIMAL_COMMA, '$1.$2');
  if (!PLAIN.test(number) && !GROUPED.test(number)) return null;
  const digits = number
    .replaceAll(/[, ]/g, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  // Nothing is left of "-.0".
  return /\d/.test(digits) ? digits : null;
}

const valueErrorOf = (digits: string, kind: SlotKind): InputError | null =>
  rangeErrorOf(digits, MAX_VALUE[kind], DECIMALS[kind]) ?? (kind === 'price' && Number(digits) === 0 ? 'zero' : null);

/** Why a number is not within 0 to `max` with at most `decimals` decimals; null if it is. */
export function rangeErrorOf(digits: string, max: number, decimals: number): LimitError | null {
  const value = Number(digits);
  if (value < 0) return 'negative';
  if ((digits.split('.')[1]?.length ?? 0) > decimals) return decimals === 0 ? 'notWhole' : 'decimals';
  return value > max ? 'tooLarge' : null;
}
