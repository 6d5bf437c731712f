import type pg from 'pg';
import { type Assortment, orderOf } from '#local/generator/orders.js';

/** Lines of each large order. */
export const LARGE_CELLS = 2_000;
/** Orders to approve: an approval changes all lines of an order once, so each is measured on another. */
const APPROVED = 25;
/** Beside those, one each for replies, for transitions and for both in SQL. */
export const LARGE_ORDERS = 3 + APPROVED;

/** The large order of this index, from 0: of the vendor who has a tenth of all orders, and numbered behind the others. */
export function largeOrderOf(assortment: Assortment, index: number): ReturnType<typeof orderOf> {
  const orders = assortment.orders + LARGE_ORDERS;
  // An order has at least half the cells of the average.
  const more = orderOf({ ...assortment, orders, cells: 2 * LARGE_CELLS, vendors: 1 }, assortment.orders + index);
  return { ...more, lines: more.lines.slice(0, LARGE_CELLS) };
}

/** Orders with about as many lines as the average. */
const ORDINARY_ORDERS = 200;

/** An order that requests are made for. */
export interface Subject {
  poNumber: string;
  /** Of its lines, in source order. */
  rowHashes: string[];
}

/** Orders of one vendor, New, without replies and flags. No order is written by both SQL and the product. */
export interface Subjects {
  vendorCode: string;
  ordinary: Subject[];
  ordinaryInSql: Subject[];
  largeReplied: Subject;
  largeMoved: Subject;
  largeInSql: Subject;
  approved: Subject[];
}

/** Chooses the orders and makes them New by SQL, which publishes nothing. */
export async function chooseSubjects(orders: pg.Pool, assortment: Assortment): Promise<Subjects> {
  const large = Array.from({ length: LARGE_ORDERS }, (_, index) => largeOrderOf(assortment, index));
  const numbers = large.map(({ poNumber }) => poNumber);
  const vendorCode = large[0]?.vendor.code ?? '';
  const { rows } = await orders.query<{ poNumber: string }>(
    `SELECT po_number AS "poNumber" FROM purchase_orders WHERE vendor_code = $1 AND po_number <> ALL($2)
      ORDER BY abs(line_count - $3), id LIMIT $4`,
    [vendorCode, numbers, assortment.cells, ORDINARY_ORDERS],
  );
  const ordinary = rows.map(({ poNumber }) => poNumber);
  await orders.query(
    `UPDATE purchase_orders SET status_id = 100, has_pending_changes = false, has_source_conflict = false
      WHERE po_number = ANY($1)`,
    [[...numbers, ...ordinary]],
  );
  const half = Math.ceil(ordinary.length / 2);
  const subjects = await subjectsOf(orders, [...numbers, ...ordinary]);
  const [largeReplied, largeMoved, largeInSql, ...approved] = subjects.slice(0, LARGE_ORDERS);
  if (!largeReplied || !largeMoved || !largeInSql) throw new Error('the large orders are missing');
  const others = subjects.slice(LARGE_ORDERS);
  if (others.length < 2) throw new Error('the largest vendor has too few orders: give more by --orders');
  return {
    vendorCode,
    largeReplied,
    largeMoved,
    largeInSql,
    approved,
    ordinary: others.slice(0, half),
    ordinaryInSql: others.slice(half),
  };
}

async function subjectsOf(orders: pg.Pool, poNumbers: readonly string[]): Promise<Subject[]> {
  const { rows } = await orders.query<Subject>(
    `SELECT o.po_number AS "poNumber", array_agg(c.row_hash ORDER BY c.position) AS "rowHashes"
       FROM purchase_orders o JOIN cells c ON c.order_id = o.id WHERE o.po_number = ANY($1) GROUP BY o.po_number`,
    [poNumbers],
  );
  const found = new Map(rows.map((subject) => [subject.poNumber, subject]));
  return poNumbers.flatMap((poNumber) => found.get(poNumber) ?? []);
}
