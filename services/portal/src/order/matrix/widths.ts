import type { Formats } from '../../language/formats.js';
import { EMPTY, type Edits, valueOf } from '../draft/draft.js';
import type { Matrix } from '../lines/size-matrix.js';
import { rowTotals, sizeTotals, sumOf } from './totals.js';

/** Widths of columns in px; sizes have at least that much each. */
export interface Widths {
  style: number;
  color: number;
  size: number;
  quantity: number;
  price: number;
  amount: number;
}

type Numbers = Omit<Widths, 'style' | 'color'>;

/** So many sizes do not need all the room that there is. */
export const FEW_SIZES = 4;

/** What the sums are written in, which are bold; a letter of a name; what stands beside them. */
const DIGIT_PX = 9;
const CAPITAL_PX = 11;
const POINT_PX = 5;
const LETTER_PX = 7.5;
const PADDING_PX = 18;
/** Where the first and the last column begin and end. */
const EDGE_PX = 8;

const WIDE = /[\u2E80-\u9FFF\uAC00-\uD7A3\uFF00-\uFF60]/g;

/** Names are cut where they are longer than that; numbers never, for one without its first digit is another one. */
const MAX_WIDTH = { style: 200, color: 160 } as const;
/** How much of its width a name keeps before the grid scrolls. */
const NAME_KEPT = 2 / 3;

/**
 * As wide as an order's numbers are, and as what is typed makes them: that moves columns only where a number would be cut. What does not
 * depend on it is found once.
 */
export function widthsOf(
  { rows, width }: Matrix,
  currency: string,
  { quantity, price, amount }: Pick<Formats, 'amount' | 'price' | 'quantity'>,
): (edits: Edits) => Widths {
  const name = (texts: readonly string[], least: number, longest: number) =>
    Math.min(
      longest,
      Math.max(least, ...texts.map((text) => LETTER_PX * (text.length + (text.match(WIDE)?.length ?? 0)))),
    );
  const number = (texts: readonly string[], least: number) =>
    texts.reduce((most, text) => Math.max(most, textPx(text) + PADDING_PX), least);
  const numbersAfter = (edits: Edits, least: Numbers): Numbers => {
    const sum = sumOf(rows.map((row) => rowTotals(row, edits)));
    const amounts = [sum.amount, sum.originalAmount].map(
      (each) => `${sum.rough ? '≈ ' : ''}${currency} ${amount(each)}`,
    );
    return {
      // The larger of two whole numbers is as wide or wider.
      size: number([quantity(Math.max(0, ...sizeTotals(rows, width, edits).map((total) => total ?? 0)))], least.size),
      quantity: number([quantity(Math.max(sum.quantity, sum.originalQuantity))], least.quantity),
      price: number(
        rows.map(({ price: slot }) => price(valueOf(slot, edits))),
        least.price,
      ),
      amount: number(amounts, least.amount - EDGE_PX) + EDGE_PX,
    };
  };
  // Stands below what replaces it, however little that is.
  const replaced = rows.flatMap((row) => row.sizes.flatMap((slot) => (slot ? [slot.original, slot.agreed ?? 0] : [])));
  const untouched = numbersAfter(EMPTY.edits, {
    size: number([quantity(Math.max(0, ...replaced))], width > FEW_SIZES ? 70 : 96),
    quantity: 70,
    price: number(
      rows.map(({ price: slot }) => price(slot.original)),
      92,
    ),
    amount: 124,
  });
  const names = {
    style: Math.ceil(
      name(
        rows.map(({ style }) => style),
        96,
        MAX_WIDTH.style - 24,
      ) + 24,
    ),
    color: Math.ceil(
      name(
        rows.map(({ color }) => color),
        64,
        MAX_WIDTH.color - 16,
      ) + 16,
    ),
  };
  return (edits) => ({ ...names, ...(edits.size === 0 ? untouched : numbersAfter(edits, untouched)) });
}

const textPx = (text: string): number =>
  Array.from(text, (each) => (/\d/.test(each) ? DIGIT_PX : /[\s.,]/.test(each) ? POINT_PX : CAPITAL_PX)).reduce(
    (sum, px) => sum + px,
    0,
  );

const numbersOf = ({ size, quantity, price, amount }: Widths, width: number): number =>
  width * size + quantity + price + amount;

export const minWidthOf = (widths: Widths, width: number): number =>
  leastOf(widths.style) + leastOf(widths.color) + numbersOf(widths, width);

/** What is left of a name where there is no room for it. */
export const leastOf = (name: number): number => Math.ceil(NAME_KEPT * name);

/** The widths of the names, in CSS: what the numbers leave of the frame, which is their container. */
export function nameWidthsOf(widths: Widths, width: number): { style: string; color: string } {
  const ofRoom = (name: number) => {
    const part = name / (widths.style + widths.color);
    return `clamp(${leastOf(name)}px, (100cqw - ${numbersOf(widths, width)}px) * ${part}, ${name}px)`;
  };
  return { style: ofRoom(widths.style), color: ofRoom(widths.color) };
}
