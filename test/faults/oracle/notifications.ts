import { recipientsOfTransition } from '../../../services/notifications/src/fan-out/recipients.js';
import { automaticallyApproved } from './approvals.js';
import { readersOf } from './messages.js';
import { type DirectoryUser, type Evidence, type StoredEntry, type Violation } from './evidence.js';

/** Checks that each recipient has each notification once and in order, and that every notification was published. */
export function checkNotifications(evidence: Evidence): Violation[] {
  const { history, orders, users, notifications } = evidence;
  const buyerEmails = new Map(orders.map(({ poNumber, buyerEmail }) => [poNumber, buyerEmail]));
  const approved = automaticallyApproved(history);
  const expected = new Set([
    ...history
      .filter(({ id }) => !approved.has(id))
      .flatMap((entry) =>
        recipientsOf(entry, buyerEmails.get(entry.poNumber) ?? null, users).map(
          ({ userId }) => `${userId} about ${entry.id}`,
        ),
      ),
    ...[...readersOf(evidence)].flatMap(([id, readers]) => readers.map(({ userId }) => `${userId} about ${id}`)),
  ]);
  const found = Map.groupBy(notifications, ({ userId, historyId }) => `${userId} about ${historyId}`);
  return [
    ...[...expected].filter((pair) => !found.has(pair)).map((pair) => `missing notification to ${pair}`),
    ...[...found.keys()].filter((pair) => !expected.has(pair)).map((pair) => `unexpected notification to ${pair}`),
    ...checkSequences(evidence),
    ...checkInboxes(evidence),
  ];
}

/** Checks that no user has a notification twice, that inboxes and topic have the same notifications, and the unread counts. */
export function checkInboxes(evidence: Evidence): Violation[] {
  const { notifications, announced } = evidence;
  const found = Map.groupBy(notifications, ({ userId, historyId }) => `${userId} about ${historyId}`);
  const onTopic = new Set(announced.map(({ id }) => id));
  const ids = new Set(notifications.map(({ id }) => id));
  return [
    ...[...found]
      .filter(([, rows]) => rows.length > 1)
      .map(([pair, rows]) => `${rows.length} notifications to ${pair}`),
    ...notifications
      .filter(({ id }) => !onTopic.has(id))
      .map(
        ({ id, userId, historyId }) =>
          `notification ${id} (to ${userId} about ${historyId}) is not on po.notifications.v1`,
      ),
    ...[...onTopic]
      .filter((id) => !ids.has(id))
      .map((id) => `${id} is on po.notifications.v1; there is no such notification`),
    ...checkUnread(evidence),
  ];
}

function recipientsOf(entry: StoredEntry, buyerEmail: string | null, users: DirectoryUser[]): DirectoryUser[] {
  const isOwn = ({ role, email }: DirectoryUser) =>
    role === 'BUYER' && buyerEmail !== null && email?.toLowerCase() === buyerEmail.toLowerCase();
  const { vendor, buyers } = recipientsOfTransition(entry.action, entry.actorRole, users.some(isOwn));
  return users.filter(
    (user) =>
      user.userId !== entry.actorId &&
      ((vendor && user.role === 'VENDOR' && user.vendorCode === entry.vendorCode) ||
        (user.role === 'BUYER' && (buyers === 'every' || (buyers === 'own' && isOwn(user))))),
  );
}

function checkSequences({ notifications, history }: Evidence): Violation[] {
  const entries = new Map(history.map((entry) => [entry.id, entry]));
  return [...Map.groupBy(notifications, ({ userId }) => userId)].flatMap(([userId, inbox]) => {
    const inOrder = inbox.toSorted((left, right) => left.seq - right.seq);
    const gap = inOrder.findIndex(({ seq }, index) => seq !== index + 1);
    const last = new Map<string, number>();
    const disorder = inOrder.flatMap(({ historyId, seq }) => {
      const entry = entries.get(historyId);
      if (!entry) return [];
      const before = last.get(entry.poNumber) ?? 0;
      last.set(entry.poNumber, entry.sequence);
      if (entry.sequence > before) return [];
      return [
        `inbox of ${userId}: number ${seq} is entry ${entry.sequence} of order ${entry.poNumber}, after entry ${before}`,
      ];
    });
    return [
      ...(gap < 0 ? [] : [`inbox of ${userId}: number ${inOrder[gap]?.seq} where ${gap + 1} was due`]),
      ...disorder,
    ];
  });
}

function checkUnread({ shown, notifications }: Evidence): Violation[] {
  return shown.flatMap(({ userId, gateway, unread }) => {
    const stored = notifications.filter((notification) => notification.userId === userId && !notification.read).length;
    return stored === unread
      ? []
      : [`gateway ${gateway} shows ${userId} ${unread} unread notifications; there are ${stored}`];
  });
}
