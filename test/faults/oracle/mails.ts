import { createHash } from 'node:crypto';
import { type Evidence, type QueuedMail, type Violation } from './evidence.js';

/** Checks that each notification wanted immediately is in one mail, to its user alone, and that no other mail was sent. */
export function checkMails(evidence: Evidence): Violation[] {
  const { announced, mails, accepted } = evidence;
  const queued = mails.flatMap(({ notificationIds }) => notificationIds);
  const isQueued = new Set(queued);
  const wanted = new Map(
    announced.filter(({ mail, email }) => mail === 'now' && email !== null).map((each) => [each.id, each]),
  );
  const known = new Set(mails.map(messageIdOf));
  return [
    ...[...wanted.values()]
      .filter(({ id }) => !isQueued.has(id))
      .map(({ id, userId }) => `notification ${id} of ${userId} is in no mail`),
    ...[...Map.groupBy(queued, (id) => id)]
      .filter(([, copies]) => copies.length > 1)
      .map(([id, copies]) => `notification ${id} is in ${copies.length} mails`),
    ...accepted
      .filter(({ messageId }) => !known.has(messageId))
      .map(({ messageId, to }) => `a mail to ${to.join()} with Message-ID ${messageId} matches no stored mail`),
    ...checkContents(evidence),
    ...checkOutcomes(evidence),
  ];
}

/** Message-ID before "@": the same for the same notifications. Computed independently of the service. */
const messageIdOf = ({ notificationIds }: QueuedMail): string =>
  createHash('sha256').update(notificationIds.toSorted().join('\n')).digest('hex').slice(0, 32);

/** Checks that every mail holds only notifications of its user, in the mode that the user chose. */
function checkContents({ announced, mails, notifications, history, messages, users, accepted }: Evidence): Violation[] {
  const known = new Map(announced.map((each) => [each.id, each]));
  const entries = new Map([...history, ...messages].map((entry) => [entry.id, entry]));
  const entryOf = new Map(notifications.map(({ id, historyId }) => [id, entries.get(historyId)]));
  const vendors = new Map(users.map(({ userId, vendorCode }) => [userId, vendorCode]));
  const copies = Map.groupBy(accepted, ({ messageId }) => messageId);
  return mails.flatMap((mail) => {
    const { id, userId, mode, notificationIds } = mail;
    const own = notificationIds.filter((each) => known.get(each)?.userId === userId && known.get(each)?.mail === mode);
    const about = own.flatMap((each) => entryOf.get(each) ?? []);
    const orders = new Set(about.map(({ poNumber }) => poNumber));
    const addresses = new Set(own.map((each) => known.get(each)?.email));
    const vendor = vendors.get(userId) ?? null;
    return [
      ...notificationIds
        .filter((each) => !own.includes(each))
        .map(
          (each) => `mail ${id} to ${userId} has notification ${each}, which this user does not get by mode ${mode}`,
        ),
      ...about
        .filter(({ vendorCode }) => vendor !== null && vendorCode !== vendor)
        .map(({ poNumber, vendorCode }) => `mail ${id} to ${userId} is about order ${poNumber} of ${vendorCode}`),
      ...(copies.get(messageIdOf(mail)) ?? []).flatMap(({ to, orders: shown }) => [
        ...(to.length === 1 && addresses.has(to[0] ?? '') ? [] : [`mail ${id} of ${userId} went to ${to.join()}`]),
        ...shown.filter((order) => !orders.has(order)).map((order) => `mail ${id} of ${userId} shows order ${order}`),
        ...(shown.length > 0 ? [] : [`mail ${id} of ${userId} links to no order`]),
      ]),
    ];
  });
}

/** Checks that sent mails were accepted, at most once per attempt, and that notifications in unsent mails had been read. */
function checkOutcomes({ mails, accepted, notifications }: Evidence): Violation[] {
  const read = new Set(notifications.flatMap((notification) => (notification.read ? [notification.id] : [])));
  const copies = Map.groupBy(accepted, ({ messageId }) => messageId);
  return mails.flatMap((mail) => {
    const { id, userId, mode, attempts, outcome, notificationIds } = mail;
    const times = copies.get(messageIdOf(mail))?.length ?? 0;
    const unread = notificationIds.filter((each) => !read.has(each));
    const ended: Record<string, boolean> = { sent: times > 0, read: unread.length === 0, waits: mode === 'digest' };
    return [
      ...(ended[outcome ?? 'waits'] ? [] : [`mail ${id} of ${userId}: ${outcome ?? 'waits'}; accepted ${times} times`]),
      ...(times <= attempts ? [] : [`mail ${id} of ${userId} was accepted ${times} times in ${attempts} attempts`]),
    ];
  });
}
