import { checkDashboards } from '../faults/oracle/dashboards.js';
import { type Evidence, type Violation } from '../faults/oracle/evidence.js';
import { checkWorkflow } from '../faults/oracle/workflow.js';

/** What the parts of the system do not agree on after a restore; empty when they do. */
export const disagreements = (evidence: Evidence): Violation[] => [
  ...checkWorkflow(evidence),
  ...checkStates(evidence),
  ...checkDashboards(evidence),
  ...checkTold(evidence),
  ...checkMailed(evidence),
  ...checkSources(evidence),
];

/** Who keeps the last record of each order, and who keeps its highest version, has what the database has, and no other order. */
function checkStates({ orders, states }: Evidence): Violation[] {
  const published = Map.groupBy(states, ({ poNumber }) => poNumber);
  const known = new Set(orders.map(({ poNumber }) => poNumber));
  return [
    ...[...published.keys()].filter((poNumber) => !known.has(poNumber)).map((each) => `${each} is published alone`),
    ...orders.flatMap(({ poNumber, statusId, version }) => {
      const records = published.get(poNumber) ?? [];
      const kept = [records.at(-1), records.toSorted((left, right) => left.version - right.version).at(-1)];
      return kept
        .filter((state) => state?.version !== version || state.statusId !== statusId)
        .map((state) => `${poNumber} is ${version} in ${statusId}, and published as ${JSON.stringify(state)}`);
    }),
  ];
}

/** Each user was told of each entry once, under one id, and nobody else was. */
function checkTold({ notifications, announced, shown, deadLetters }: Evidence): Violation[] {
  const told = Map.groupBy(notifications, ({ userId, historyId }) => `${userId} of ${historyId}`);
  const onTopic = new Set(announced.map(({ id }) => id));
  const stored = new Set(notifications.map(({ id }) => id));
  return [
    ...[...told].filter(([, rows]) => rows.length > 1).map(([whom]) => `${whom} was told twice`),
    ...[...onTopic].filter((id) => !stored.has(id)).map((id) => `${id} was announced, and is in no inbox`),
    ...[...stored].filter((id) => !onTopic.has(id)).map((id) => `${id} is in an inbox, and was never announced`),
    ...shown
      .filter(({ userId, unread }) => unread !== notifications.filter((n) => n.userId === userId && !n.read).length)
      .map(({ userId, unread }) => `${userId} is shown ${unread} unread notifications`),
    ...deadLetters.map(({ reason }) => `a dead letter: ${reason}`),
  ];
}

/** What users want by mail at once is in one mail, which was sent, unless they had read it: nothing of it was lost. */
function checkMailed({ announced, mails }: Evidence): Violation[] {
  const done = new Map(mails.flatMap(({ notificationIds, outcome }) => notificationIds.map((id) => [id, outcome])));
  const wanted = announced.filter(({ mail, email }) => mail === 'now' && email !== null);
  return wanted.filter(({ id }) => !done.get(id)).map(({ id, userId }) => `${id} of ${userId} was not mailed`);
}

/** Every order of the inventory topic is there, at its last revision. */
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
