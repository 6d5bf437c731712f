import { KPI_KEYS } from '@po/contracts';
import { type Evidence, type Violation, kpisOf } from './evidence.js';

const FEED_LENGTH = 20;

/** Everybody's dashboard shows the orders as they are and the latest status changes, whichever gateway is asked. */
export function checkDashboards(evidence: Evidence): Violation[] {
  return [...checkCounts(evidence), ...checkFeeds(evidence)];
}

/** Everybody's dashboard counts the orders as they are. */
function checkCounts({ shown, users, orders }: Evidence): Violation[] {
  return shown.flatMap(({ userId, gateway, kpis }) => {
    const expected = kpisOf(orders.filter(scopeOf(userId, users)));
    return KPI_KEYS.filter((key) => kpis[key] !== expected[key]).map(
      (key) => `gateway ${gateway} shows ${userId} ${kpis[key]} ${key} orders; there are ${expected[key]}`,
    );
  });
}

function checkFeeds({ shown, users, history }: Evidence): Violation[] {
  return shown.flatMap(({ userId, gateway, activity }) => {
    const latest = history
      .filter(scopeOf(userId, users))
      .filter((entry) => entry.fromStatusId !== null && entry.fromStatusId !== entry.toStatusId)
      .map(({ id }) => id)
      // Ids of history entries are in the order of time.
      .toSorted()
      .toReversed()
      .slice(0, FEED_LENGTH);
    if (latest.join() === activity.join()) return [];
    return [`gateway ${gateway} shows ${userId} the activity ${activity.join()}; the latest is ${latest.join()}`];
  });
}

/** Whether a user may see a row. */
function scopeOf(userId: string, users: Evidence['users']): (row: { vendorCode: string }) => boolean {
  const vendorCode = users.find((user) => user.userId === userId)?.vendorCode ?? null;
  return (row) => vendorCode === null || row.vendorCode === vendorCode;
}
