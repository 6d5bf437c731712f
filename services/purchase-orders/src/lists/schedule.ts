import type { Schedule } from '@po/contracts';
import type { Read } from '../store/databases.js';
import { UNSHIPPED, overdueOn } from './conditions.js';
import { dateOf } from './summary.view.js';
import { WEEKS, weekOf, weeksFrom } from './weeks.js';

const VENDORS = 10;

// The driver returns counts and sums as text.
interface WeekRow {
  week: number;
  orders: string;
  quantity: string;
}
interface OverdueRow {
  vendor: string;
  vendorCode: string;
  orders: string;
  quantity: string;
  total: string;
}

/** Orders to leave the factories per week, and overdue ones, by their current ex-factory dates. `read` must use one snapshot. */
export async function readSchedule(read: Read, now: Date): Promise<Schedule> {
  const asOf = dateOf(now);
  const monday = weekOf(asOf);
  const counted = read<WeekRow>(
    'schedule-weeks',
    [monday],
    (own) => `SELECT (o.xf_date - $1::date) / 7 AS week, count(*) AS orders, sum(o.total_qty) AS quantity
                FROM purchase_orders o
               WHERE o.xf_date >= $1::date AND o.xf_date < $1::date + ${7 * WEEKS} AND ${UNSHIPPED} AND ${own('o.vendor_code')}
               GROUP BY week`,
  );
  const overdue = read<OverdueRow>(
    'schedule-overdue',
    [asOf],
    (own) => `SELECT v.name AS vendor, late.vendor_code AS "vendorCode", late.orders, late.quantity, late.total
                FROM (SELECT o.vendor_code, count(*) AS orders, sum(o.total_qty) AS quantity, sum(count(*)) OVER () AS total
                        FROM purchase_orders o WHERE ${overdueOn('$1')} AND ${own('o.vendor_code')}
                       GROUP BY o.vendor_code ORDER BY orders DESC, o.vendor_code LIMIT ${VENDORS}) late
                JOIN vendors v ON v.code = late.vendor_code ORDER BY late.orders DESC, late.vendor_code`,
  );
  const [weeks, late] = await Promise.all([counted, overdue]);
  const byWeek = new Map(weeks.map((row) => [row.week, row]));
  return {
    asOf,
    weeks: weeksFrom(monday).map((from, week) => ({ from, ...countsOf(byWeek.get(week)) })),
    overdue: late.map((row) => ({ vendor: row.vendor, vendorCode: row.vendorCode, ...countsOf(row) })),
    overdueTotal: Number(late[0]?.total ?? 0),
  };
}

const countsOf = (row: { orders: string; quantity: string } | undefined) => ({
  orders: Number(row?.orders ?? 0),
  quantity: Number(row?.quantity ?? 0),
});
