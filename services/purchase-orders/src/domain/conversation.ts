import {
  type FieldRefusal,
  type MessageRequest,
  type MessageRow,
  type MessageVisibility,
  ProblemError,
  type Role,
} from '@po/contracts';
import type { Cell, Order } from './order.js';

/** The side a role is on: the vendor's, or the internal one. */
export type Side = 'vendor' | 'internal';

const sideOf = (role: Role): Side => (role === 'VENDOR' ? 'vendor' : 'internal');

export const INTERNAL_ROLES = ['BUYER', 'ADMIN', 'VIEWER'] as const satisfies Role[];

/** The messages that a role may see. */
export const visibleTo = (role: Role): readonly MessageVisibility[] =>
  sideOf(role) === 'vendor' ? ['all'] : ['all', 'internal'];

/** The messages that a role may write, in every status. */
export const writableBy = (role: Role): readonly MessageVisibility[] => (role === 'VIEWER' ? [] : visibleTo(role));

/** Who of one side is a participant: every known user, those who acted or wrote what both sides see, or nobody. */
export type Participation = 'everybody' | 'involved' | 'nobody';

/** Who may be mentioned by this role in such a message, of each side. */
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

/** What a message is about and whom it mentions, each once and as they are called now. */
export interface MessageContent {
  rows: MessageRow[];
  mentions: Mentionable[];
}

/**
 * What is stored of a message, or why it is refused. `order` is null when there is none that the caller may see; `mentionable` are those of
 * the mentioned users who may be mentioned.
 */
export function decideMessage(
  order: Order | null,
  { visibility, rows, mentions }: MessageRequest,
  { role, mentionable }: { role: Role; mentionable: readonly Mentionable[] },
): MessageContent | { refused: ProblemError } {
  if (!order) return { refused: new ProblemError('PO_NOT_FOUND') };
  if (!writableBy(role).includes(visibility)) return { refused: new ProblemError('ROLE_NOT_ALLOWED') };
  const cells = new Map(order.cells.filter(({ removed }) => !removed).map((cell) => [cell.rowHash, cell]));
  const noRows = unknown('rows', rows, cells, 'ROW_NOT_FOUND', 'is not a row of this order', '不是该订单的行');
  if (noRows.length > 0) return { refused: new ProblemError('ROW_NOT_FOUND', {}, { errors: noRows }) };
  const users = new Map(mentionable.map(({ userId, name }) => [userId, { userId, name }]));
  const nobody = unknown(
    'mentions',
    mentions,
    users,
    'USER_NOT_FOUND',
    'is not a participant of this order, or may not read the message',
    '不是该订单中可阅读此消息的参与者',
  );
  if (nobody.length > 0) {
    return { refused: new ProblemError('USER_NOT_FOUND', {}, { errors: nobody, hidden: { mentioned: 'yes' } }) };
  }
  return { rows: found(rows, cells).map(rowOf), mentions: found(mentions, users) };
}

const rowOf = ({ rowHash, code, style, color, size }: Cell): MessageRow => ({ rowHash, code, style, color, size });

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
