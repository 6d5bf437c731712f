import type { Formats } from '../../language/formats.js';
import { EMPTY, type Edits, valueOf } from '../draft/draft.js';
import type { Matrix } from '../lines/size-matrix.js';
import { rowTotals, sizeTotals, sumOf } from './totals.js';

/** Column widths in px; for each size column, the minimum. */
export interface Widths {
  style: number;
  color: number;
  size: number;
  quantity: number;
  price: number;
  amount: number;
}

type Numbers = Omit<Widths, 'style' | 'color'>;

/** Up to this number, sizes do not need all available width. */
export const FEW_SIZES = 4;

/** Width of a digit, a capital and a punctuation mark in the totals, which are bold; of a letter in a name; of the cell padding. */
const DIGIT_PX = 9;
const CAPITAL_PX = 11;
const POINT_PX = 5;
const LETTER_PX = 7.5;
const PADDING_PX = 18;
/** Additional padding at the outer edges of the first and the last column. */
const EDGE_PX = 8;

const WIDE = /[\u2E80-\u9FFF\uAC00-\uD7A3\uFF00-\uFF60]/g;

/** Longer names are cut. Numbers never are, because a missing digit changes the value. */
const MAX_WIDTH = { style: 200, color: 160 } as const;
/** Fraction of its width that a name keeps before the grid scrolls. */
const NAME_KEPT = 2 / 3;

/**
 * Column widths for the numbers of an order with its edits. Edits widen a column only if a number would be cut. Widths that do not depend
 * on edits are computed once.
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
      // The largest whole number is at least as wide as the others.
      size: number([quantity(Math.max(0, ...sizeTotals(rows, width, edits).map((total) => total ?? 0)))], least.size),
      quantity: number([quantity(Math.max(sum.quantity, sum.originalQuantity))], least.quantity),
      price: number(
        rows.map(({ price: slot }) => price(valueOf(slot, edits))),
        least.price,
      ),
      amount: number(amounts, least.amount - EDGE_PX) + EDGE_PX,
    };
  };
  // A replaced value is shown below the new one, which may be narrower.
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
  minNameWidth(widths.style) + minNameWidth(widths.color) + numbersOf(widths, width);

/** Minimum width of a name column. */
export const minNameWidth = (name: number): number => Math.ceil(NAME_KEPT * name);

/** CSS widths of the name columns: their share of the width that the numbers leave in the frame, which is their container. */
export function nameWidthsOf(widths: Widths, width: number): { style: string; color: string } {
  const ofRoom = (name: number) => {
    const part = name / (widths.style + widths.color);
    return `clamp(${minNameWidth(name)}px, (100cqw - ${numbersOf(widths, width)}px) * ${part}, ${name}px)`;
  };
  return { style: ofRoom(widths.style), color: ofRoom(widths.color) };
}
