import { KPI_KEYS } from '@po/contracts';
import { type Evidence, type Violation, kpisOf } from './evidence.js';

const FEED_LENGTH = 20;

/** Checks that the dashboard of every user at every gateway shows the current counts and the latest status changes. */
export function checkDashboards(evidence: Evidence): Violation[] {
  return [...checkCounts(evidence), ...checkFeeds(evidence)];
}

/** Checks that the dashboard of every user shows the current counts. */
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
      // Ids of history entries sort by time.
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
