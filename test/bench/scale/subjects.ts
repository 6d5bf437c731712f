import type pg from 'pg';
import type { Assortment } from '#local/generator/orders.js';
import { LARGE_ORDERS, largeOrderOf } from './large-orders.js';

/** Of the orders with about as many cells as the average. */
const ORDINARY_ORDERS = 200;

/** An order that requests are made for. */
export interface Subject {
  poNumber: string;
  /** Of its cells, in source order. */
  rowHashes: string[];
}

/** All of one vendor, New, without replies and flags. What SQL writes, the product never touches, and the other way round. */
export interface Subjects {
  vendorCode: string;
  ordinary: Subject[];
  ordinaryInSql: Subject[];
  largeReplied: Subject;
  largeMoved: Subject;
  largeInSql: Subject;
  approved: Subject[];
}

/** Chooses the orders and makes them New; by SQL, which no topic tells of. */
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
    ...{ vendorCode, largeReplied, largeMoved, largeInSql, approved },
    ...{ ordinary: others.slice(0, half), ordinaryInSql: others.slice(half) },
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
