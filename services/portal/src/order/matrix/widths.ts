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

/** As wide as an order's numbers are, and as what is typed makes them: that moves columns only where a number would be cut. */
export function widthsOf(
  { rows, width }: Matrix,
  edits: Edits,
  currency: string,
  { quantity, price, amount }: Pick<Formats, 'amount' | 'price' | 'quantity'>,
): Widths {
  const states = [EMPTY.edits, edits];
  const sums = states.map((each) => sumOf(rows.map((row) => rowTotals(row, each))));
  const pieces = sums.flatMap((sum) => [sum.quantity, sum.originalQuantity]);
  const totals = states.flatMap((each) => sizeTotals(rows, width, each));
  // Stands below what replaces it, however little that is.
  const replaced = rows.flatMap((row) => row.sizes.flatMap((slot) => (slot ? [slot.original, slot.agreed] : [])));
  const prices = rows.flatMap(({ price: slot }) => [slot.original, slot.reply, valueOf(slot, edits)]);
  const amounts = sums.flatMap((sum) =>
    [sum.amount, sum.originalAmount].map((each) => `${sum.rough ? '≈ ' : ''}${currency} ${amount(each)}`),
  );
  const name = (texts: readonly string[], least: number, longest: number) =>
    Math.min(
      longest,
      Math.max(least, ...texts.map((text) => LETTER_PX * (text.length + (text.match(WIDE)?.length ?? 0)))),
    );
  const number = (texts: readonly string[], least: number) =>
    texts.reduce((most, text) => Math.max(most, textPx(text) + PADDING_PX), least);
  const quantities = (values: readonly (number | null)[]) => values.map((value) => quantity(value ?? 0));
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
    size: number(quantities([...totals, ...replaced]), width > FEW_SIZES ? 70 : 96),
    quantity: number(quantities(pieces), 70),
    price: number(
      prices.map((value) => price(value ?? 0)),
      92,
    ),
    amount: number(amounts, 124 - EDGE_PX) + EDGE_PX,
  };
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
