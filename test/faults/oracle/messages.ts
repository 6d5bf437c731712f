import { TOPICS } from '@po/contracts';
import { recipientsOfMessage } from '../../../services/notifications/src/fan-out/recipients.js';
import { type DirectoryUser, type Evidence, type StoredMessage, type Violation } from './evidence.js';
import { checkPublished } from './topics.js';

/** Checks that the topic holds exactly the stored messages, in the order of their conversations. */
export function checkMessages({ messages, posted }: Evidence): Violation[] {
  const published = Map.groupBy(posted, ({ poNumber }) => poNumber);
  const stored = Map.groupBy(messages, ({ poNumber }) => poNumber);
  return [...new Set([...published.keys(), ...stored.keys()])].flatMap((poNumber) =>
    checkPublished(poNumber, TOPICS.messages, stored.get(poNumber), published.get(poNumber)),
  );
}

/** Expected recipients of notifications by message id. */
export function readersOf({ messages, orders, users }: Evidence): Map<string, DirectoryUser[]> {
  const buyerEmails = new Map(orders.map(({ poNumber, buyerEmail }) => [poNumber, buyerEmail?.toLowerCase() ?? null]));
  return new Map(
    [...Map.groupBy(messages, ({ poNumber }) => poNumber)].flatMap(([poNumber, thread]) =>
      thread.map((message, index) => {
        const before = thread.slice(0, index).map(({ authorId }) => authorId);
        const named = new Set([...message.mentions, ...before]);
        const buyerEmail = buyerEmails.get(poNumber) ?? null;
        return [message.id, users.filter((user) => isReader(user, message, { named, buyerEmail, users }))];
      }),
    ),
  );
}

interface MessageContext {
  named: ReadonlySet<string>;
  buyerEmail: string | null;
  users: readonly DirectoryUser[];
}

function isReader(user: DirectoryUser, message: StoredMessage, { named, buyerEmail, users }: MessageContext): boolean {
  const isOwn = ({ role, email }: DirectoryUser) =>
    role === 'BUYER' && buyerEmail !== null && email?.toLowerCase() === buyerEmail;
  const { vendor, buyers } = recipientsOfMessage(message.visibility, message.authorRole, users.some(isOwn));
  const isVendor = user.role === 'VENDOR';
  if (user.userId === message.authorId) return false;
  if (isVendor && (message.visibility === 'internal' || user.vendorCode !== message.vendorCode)) return false;
  if (named.has(user.userId)) return true;
  if (isVendor) return vendor;
  return user.role === 'BUYER' && (buyers === 'every' || (buyers === 'own' && isOwn(user)));
}
