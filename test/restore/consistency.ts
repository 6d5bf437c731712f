import { checkDashboards } from '../faults/oracle/dashboards.js';
import { type Evidence, type Violation } from '../faults/oracle/evidence.js';
import { checkInboxes } from '../faults/oracle/notifications.js';
import { checkWorkflow } from '../faults/oracle/workflow.js';

/** Inconsistencies between the parts of the system after a restore; empty if there are none. */
export const inconsistencies = (evidence: Evidence): Violation[] => [
  ...checkWorkflow(evidence),
  ...checkStates(evidence),
  ...checkDashboards(evidence),
  ...checkInboxes(evidence),
  ...checkMailed(evidence),
  ...checkSources(evidence),
  ...evidence.deadLetters.map(({ reason }) => `a dead letter: ${reason}`),
];

/** A subscriber that keeps the last record or the highest version of each order has the same orders as the database. */
function checkStates({ orders, states }: Evidence): Violation[] {
  const published = Map.groupBy(states, ({ poNumber }) => poNumber);
  const known = new Set(orders.map(({ poNumber }) => poNumber));
  return [
    ...[...published.keys()]
      .filter((poNumber) => !known.has(poNumber))
      .map((each) => `${each} is published, but not stored`),
    ...orders.flatMap(({ poNumber, statusId, version }) => {
      const records = published.get(poNumber) ?? [];
      const kept = [records.at(-1), records.toSorted((left, right) => left.version - right.version).at(-1)];
      return kept
        .filter((state) => state?.version !== version || state.statusId !== statusId)
        .map(
          (state) =>
            `${poNumber} has version ${version} and status ${statusId}, but is published as ${JSON.stringify(state)}`,
        );
    }),
  ];
}

/** Every notification that a user wants by immediate mail is in a mail that was sent, or ended unsent because it was read. None is lost. */
function checkMailed({ announced, mails }: Evidence): Violation[] {
  const done = new Map(mails.flatMap(({ notificationIds, outcome }) => notificationIds.map((id) => [id, outcome])));
  const wanted = announced.filter(({ mail, email }) => mail === 'now' && email !== null);
  return wanted.filter(({ id }) => !done.get(id)).map(({ id, userId }) => `${id} of ${userId} was not mailed`);
}

/** Every order of the inventory topic exists, and is at its last revision unless it is cancelled. */
function checkSources({ operations, orders }: Evidence): Violation[] {
  const known = new Map(orders.map((order) => [order.poNumber, order]));
  return operations
    .filter(({ kind }) => kind === 'source')
    .filter(({ target, detail }) => {
      const order = known.get(target);
      return !order || (order.statusId !== 900 && order.sourceRevision < Number(detail));
    })
    .map(({ target, detail }) => `${target} is not at revision ${detail}`);
}
