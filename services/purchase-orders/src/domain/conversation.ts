import {
  type FieldRefusal,
  type MessageRequest,
  type MessageRow,
  type MessageVisibility,
  ProblemError,
  type Role,
} from '@po/contracts';
import type { Order } from './order.js';
import { type Side, sideOf } from './side.js';
import { identityOf } from './values.js';

export const INTERNAL_ROLES = ['BUYER', 'ADMIN', 'VIEWER'] as const satisfies Role[];

/** Visibilities of the messages that a role may see. */
export const visibleTo = (role: Role): readonly MessageVisibility[] =>
  sideOf(role) === 'vendor' ? ['all'] : ['all', 'internal'];

/** Visibilities of the messages that a role may write, in every status. */
export const writableBy = (role: Role): readonly MessageVisibility[] => (role === 'VIEWER' ? [] : visibleTo(role));

/** Participants of one side: all known users, only users who acted or wrote a message that both sides see, or none. */
export type Participation = 'everybody' | 'involved' | 'nobody';

/** Participants of each side whom this role may mention in a message of this visibility. */
export function participantsFor(role: Role, visibility: MessageVisibility = 'all'): Record<Side, Participation> {
  const own = sideOf(role);
  const other = visibility === 'internal' ? 'nobody' : 'involved';
  return own === 'vendor' ? { vendor: 'everybody', internal: other } : { internal: 'everybody', vendor: other };
}

/** A known user who may be mentioned. */
export interface Mentionable {
  userId: string;
  name: string | null;
}

/** A message's order, and the lines and users that it refers to, without duplicates and with their current names. */
interface MessageContent<O extends Order> {
  order: O;
  rows: MessageRow[];
  mentions: Mentionable[];
}

/**
 * Returns the content to store for a message. Throws the refusal, a ProblemError. `order` is null if it does not exist or the caller may
 * not see it; `mentionable` are those of the mentioned users who may be mentioned.
 */
export function decideMessage<O extends Order>(
  order: O | null,
  { visibility, rows, mentions }: MessageRequest,
  { role, mentionable }: { role: Role; mentionable: readonly Mentionable[] },
): MessageContent<O> {
  if (!order) throw new ProblemError('PO_NOT_FOUND');
  if (!writableBy(role).includes(visibility)) throw new ProblemError('ROLE_NOT_ALLOWED');
  const lines = new Map(order.lines.filter(({ removed }) => !removed).map((line) => [line.rowHash, line]));
  const unknownRows = unknown('rows', rows, lines, 'ROW_NOT_FOUND', 'is not a row of this order', '不是该订单的行');
  if (unknownRows.length > 0) throw new ProblemError('ROW_NOT_FOUND', {}, { errors: unknownRows });
  const users = new Map(mentionable.map(({ userId, name }) => [userId, { userId, name }]));
  const unknownUsers = unknown(
    'mentions',
    mentions,
    users,
    'USER_NOT_FOUND',
    'is not a participant of this order, or may not read the message',
    '不是该订单中可阅读此消息的参与者',
  );
  if (unknownUsers.length > 0) {
    throw new ProblemError('USER_NOT_FOUND', {}, { errors: unknownUsers, hidden: { mentioned: 'yes' } });
  }
  return { order, rows: found(rows, lines).map(identityOf), mentions: found(mentions, users) };
}

const found = <T>(keys: readonly string[], known: ReadonlyMap<string, T>): T[] =>
  [...new Set(keys)].flatMap((key) => known.get(key) ?? []);

const unknown = (
  field: string,
  keys: readonly string[],
  known: ReadonlyMap<string, unknown>,
  code: string,
  en: string,
  zh: string,
): FieldRefusal[] =>
  keys.flatMap((key, index) =>
    known.has(key) ? [] : [{ in: 'body', pointer: `/${field}/${index}`, code, message: { en, zh } }],
  );
