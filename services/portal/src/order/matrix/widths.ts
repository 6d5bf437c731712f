import type { Formats } from '../../language/formats.js';
import { EMPTY } from '../draft/draft.js';
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

/** So many sizes do not need all the room that there is. */
export const FEW_SIZES = 4;

/** A digit of the sums, and of a name; what stands beside them. */
const DIGIT_PX = 8;
const LETTER_PX = 7.5;
const PADDING_PX = 18;
/** Where the first and the last column begin and end. */
const EDGE_PX = 8;

const WIDE = /[\u2E80-\u9FFF\uAC00-\uD7A3\uFF00-\uFF60]/g;

/** Names are cut where they are longer than that; numbers never, for one without its first digit is another one. */
const MAX_WIDTH = { style: 200, color: 160 } as const;

/** As wide as an order's numbers are; what is typed moves no column. */
export function widthsOf(
  { rows, width }: Matrix,
  currency: string,
  { quantity, price, amount }: Pick<Formats, 'amount' | 'price' | 'quantity'>,
): Widths {
  const sum = sumOf(rows.map((row) => rowTotals(row, EMPTY.edits)));
  const most = (one: number, other: number) => quantity(Math.max(one, other));
  const name = (texts: readonly string[], least: number, longest: number) =>
    Math.min(
      longest,
      Math.max(least, ...texts.map((text) => LETTER_PX * (text.length + (text.match(WIDE)?.length ?? 0)))),
    );
  const number = (text: string, least: number) => Math.max(least, DIGIT_PX * text.length + PADDING_PX);
  const sizes = sizeTotals(rows, width, EMPTY.edits).map((total) => total ?? 0);
  const prices = rows.map((row) => price(Math.max(row.price.original, row.price.reply ?? 0)));
  return {
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
    size: number(quantity(Math.max(0, ...sizes)), width > FEW_SIZES ? 70 : 96),
    quantity: number(most(sum.quantity, sum.originalQuantity), 70),
    price: number(prices.toSorted((a, b) => b.length - a.length)[0] ?? '', 92),
    amount: number(`${currency} ${amount(Math.max(sum.amount, sum.originalAmount))}`, 124 - EDGE_PX) + EDGE_PX,
  };
}

export const minWidthOf = ({ style, color, size, quantity, price, amount }: Widths, width: number): number =>
  style + color + width * size + quantity + price + amount;
