import { type Assortment, orderOf } from '#local/generator/orders.js';

/** Exactly so many cells has each of the large orders. */
export const LARGE_CELLS = 2_000;
/** Orders that can be approved: an approval changes all cells of an order once, so each is measured on another. */
const APPROVED = 25;
/** Beside those, one each for replies, for transitions and for the same in SQL. */
export const LARGE_ORDERS = 3 + APPROVED;

type Order = ReturnType<typeof orderOf>;

/** The large order of this index, from 0: of the vendor who has a tenth of all orders, and numbered behind the others. */
export function largeOrderOf(assortment: Assortment, index: number): Order {
  const orders = assortment.orders + LARGE_ORDERS;
  // An order has at least half the cells of the average.
  const more = orderOf({ ...assortment, orders, cells: 2 * LARGE_CELLS, vendors: 1 }, assortment.orders + index);
  return { ...more, lines: more.lines.slice(0, LARGE_CELLS) };
}
