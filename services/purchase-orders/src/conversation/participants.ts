import type { Participant } from '@po/contracts';
import { INTERNAL_ROLES, type Mentionable, type Participation } from '../domain/conversation.js';
import type { Side } from '../domain/side.js';
import type { Read } from '../store/databases.js';
import { fold } from '../store/search-texts.js';

// Users involved in order `o`. Authors of internal messages only do not count, because the other side must not learn of them.
const INVOLVED = `d.user_id IN (SELECT h.actor_id FROM history h WHERE h.order_id = o.id
                                UNION ALL SELECT m.author_id FROM messages m WHERE m.order_id = o.id AND m.visibility = 'all')`;
const CONDITIONS: Record<Participation, string> = { everybody: 'true', involved: INVOLVED, nobody: 'false' };
const INTERNAL_USER = `d.role IN (${INTERNAL_ROLES.map((role) => `'${role}'`).join(', ')})`;
const VENDOR_USER = `d.role = 'VENDOR' AND d.vendor_code = o.vendor_code`;

type Sides = Record<Side, Participation>;

// $1: PO number. Deleted users have no role and are therefore excluded.
const select = ({ internal, vendor }: Sides, own: (column: string) => string, condition: string) =>
  `SELECT d.user_id AS "userId", d.name, d.role, d.vendor_code AS "vendorCode"
     FROM purchase_orders o JOIN directory d ON (${INTERNAL_USER} AND ${CONDITIONS[internal]}) OR (${VENDOR_USER} AND ${CONDITIONS[vendor]})
    WHERE o.po_number = $1 AND ${own('o.vendor_code')} AND ${condition}`;

const nameOf = (name: string, { internal, vendor }: Sides) => `${name}-${internal}-${vendor}`;

export interface ParticipantFilter {
  /** Substring of the name. */
  q: string | undefined;
  limit: number;
}

/** Participants of an order, sorted by name; users without a name come last. */
export function listParticipants(
  read: Read,
  poRef: string,
  sides: Sides,
  { q = '', limit }: ParticipantFilter,
): Promise<Participant[]> {
  // strpos instead of LIKE, so that every character matches literally.
  return read<Participant>(
    nameOf('participants', sides),
    [poRef, fold(q), limit],
    (own) => `${select(sides, own, `($2 = '' OR strpos(d.name_key, $2) > 0)`)}
              ORDER BY d.name_key NULLS LAST, d.user_id LIMIT $3`,
  );
}

/** The participants among these users. */
export function findParticipants(
  read: Read,
  poRef: string,
  sides: Sides,
  userIds: readonly string[],
): Promise<Mentionable[]> {
  return read<Participant>(nameOf('mentioned', sides), [poRef, userIds], (own) =>
    select(sides, own, 'd.user_id = ANY ($2::text[])'),
  );
}
