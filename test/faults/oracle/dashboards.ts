import { KPI_KEYS } from '@po/contracts';
import { type Evidence, type Violation, kpisOf } from './evidence.js';

const FEED_LENGTH = 20;

/** Everybody's dashboard shows the orders as they are and the latest status changes, whichever gateway is asked. */
export function checkDashboards({ shown, users, orders, history }: Evidence): Violation[] {
  return shown.flatMap(({ userId, gateway, kpis, activity }) => {
    const vendorCode = users.find((user) => user.userId === userId)?.vendorCode ?? null;
    const inScope = (row: { vendorCode: string }) => vendorCode === null || row.vendorCode === vendorCode;
    const expected = kpisOf(orders.filter(inScope));
    const counts = KPI_KEYS.filter((key) => kpis[key] !== expected[key]).map(
      (key) => `gateway ${gateway} shows ${userId} ${kpis[key]} ${key} orders; there are ${expected[key]}`,
    );
    const latest = history
      .filter((entry) => inScope(entry) && entry.fromStatusId !== null && entry.fromStatusId !== entry.toStatusId)
      .map(({ id }) => id)
      // Ids of history entries are in the order of time.
      .toSorted()
      .toReversed()
      .slice(0, FEED_LENGTH);
    if (latest.join() === activity.join()) return counts;
    return [
      ...counts,
      `gateway ${gateway} shows ${userId} the activity ${activity.join()}; the latest is ${latest.join()}`,
    ];
  });
}
