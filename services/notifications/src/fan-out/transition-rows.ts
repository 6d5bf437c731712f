import { type Statement, columnsOf } from '@po/database';
import { RECEIVES, isRetained } from './directory.js';
import { AUDIENCE_OF_USER } from '../inbox/inbox.js';
import { audienceOf } from './recipients.js';
import { ENTRY_TAKEN_DAYS } from '../store/dedup-window.js';
import { type Audience, type Transition, TransitionCopy } from '../store/transition.entity.js';

/** A transition as a row of STORE_TRANSITIONS' parameter: whether its buyer is known, only the database can say. */
export interface TransitionRow extends Omit<TransitionCopy, 'toBuyers' | 'occurredAt'> {
  occurredAt: string;
  toKnownBuyer: Audience['buyers'];
  toUnknownBuyer: Audience['buyers'];
}

/** Of a stored transition, what decides who receives it. */
export interface NewTransition {
  historyId: string;
  vendorCode: string;
  buyerEmail: string | null;
  actorId: string | null;
  occurredAt: Date;
  toVendor: boolean;
  toBuyers: Audience['buyers'];
}

/** What a delivery to one user is numbered and dated as. */
export interface Delivery {
  id: string;
  historyId: string;
  userId: string;
  seq: number;
  createdAt: Date;
  email: string | null;
  locale: string | null;
}

export function transitionRow({ id, ...fields }: Transition): TransitionRow {
  const known = audienceOf(fields.action, fields.actorRole, true);
  const unknown = audienceOf(fields.action, fields.actorRole, false);
  return {
    ...fields,
    historyId: id,
    toVendor: known.vendor,
    toKnownBuyer: known.buyers,
    toUnknownBuyer: unknown.buyers,
  };
}

const columns = columnsOf(TransitionCopy);

const SELECTED: Record<string, string> = {
  buyerEmail: 'b.email',
  toBuyers: `CASE WHEN EXISTS (SELECT 1 FROM users u WHERE u.role = 'BUYER' AND lower(u.email) = b.email AND ${isRetained('$2')})
                  THEN e."toKnownBuyer" ELSE e."toUnknownBuyer" END`,
};

/**
 * $1: JSON array of TransitionRow, $2: days of UserRetention. -> NewTransition of each that was not known yet; what is too old counts as known, because its copy may
 * be deleted. Inserted in sorted order: two processes that got the same partition for a moment would deadlock otherwise.
 */
export const STORE_TRANSITIONS: Statement = {
  name: 'transitions-store',
  text: `
  INSERT INTO transitions (${columns.map(({ column }) => column).join(', ')})
  SELECT ${columns.map(({ property }) => SELECTED[property] ?? `e."${property}"`).join(', ')}
    FROM json_to_recordset($1::json) AS e(${columns.map(({ property, type }) => `"${property}" ${type}`).join(', ')},
                                          "toKnownBuyer" text, "toUnknownBuyer" text),
         LATERAL (SELECT lower(NULLIF(e."buyerEmail", '')) AS email) b
   WHERE e."occurredAt" > now() - interval '${ENTRY_TAKEN_DAYS} days'
   ORDER BY e."historyId"
      ON CONFLICT DO NOTHING
  RETURNING history_id AS "historyId", vendor_code AS "vendorCode", buyer_email AS "buyerEmail", actor_id AS "actorId",
            occurred_at AS "occurredAt", to_vendor AS "toVendor", to_buyers AS "toBuyers"`,
};

// Not joined with the table of transitions: a plan that was made while that was empty would read all of it. Two branches, so that
// each finds its users by its own index.
const RECIPIENTS = `
    WITH t AS (
      SELECT "historyId" AS history_id, "vendorCode" AS vendor_code, "buyerEmail" AS buyer_email, "actorId" AS actor_id,
             "occurredAt" AS occurred_at, "toVendor" AS to_vendor, "toBuyers" AS to_buyers, nth
        FROM ROWS FROM (json_to_recordset($1::json) AS ("historyId" text, "vendorCode" text, "buyerEmail" text, "actorId" text,
                                                        "occurredAt" timestamptz, "toVendor" boolean, "toBuyers" text)) WITH ORDINALITY
          AS e("historyId", "vendorCode", "buyerEmail", "actorId", "occurredAt", "toVendor", "toBuyers", nth)
    )
    SELECT u.user_id, t.history_id, t.nth FROM t JOIN users u ON ${RECEIVES.VENDOR} AND ${isRetained('$2')}
    UNION ALL
    SELECT u.user_id, t.history_id, t.nth FROM t JOIN users u ON ${RECEIVES.BUYER} AND ${isRetained('$2')}`;

/**
 * $1: JSON array of NewTransition, $2: days of UserRetention. Locks everybody they concern, in sorted order and before any row is touched: two fan-outs that share users would
 * deadlock otherwise.
 */
export const LOCK_RECIPIENTS: Statement = {
  name: 'recipients-lock',
  text: `
  WITH locked AS (
    SELECT user_id FROM users WHERE user_id IN (SELECT user_id FROM (${RECIPIENTS}) r) ORDER BY user_id FOR NO KEY UPDATE
  ) SELECT count(*) FROM locked`,
};

/** As LOCK_RECIPIENTS, the array in the order in which users get them, each stored and new. Needs LOCK_RECIPIENTS. -> Delivery[] */
export const DELIVER: Statement = {
  name: 'notifications-deliver',
  text: `
  WITH recipient AS MATERIALIZED (
    SELECT user_id, history_id, row_number() OVER (PARTITION BY user_id ORDER BY nth) AS nth
      FROM (${RECIPIENTS}) r
  ), numbered AS (
    UPDATE users u SET last_seq = u.last_seq + c.count
      FROM (SELECT user_id, count(*)::integer AS count FROM recipient GROUP BY user_id) c
     WHERE u.user_id = c.user_id
    RETURNING u.user_id, u.last_seq - c.count AS before, u.email, u.locale, ${AUDIENCE_OF_USER} AS audience
  ), made AS (
    INSERT INTO notifications (user_id, audience, seq, history_id, created_at)
    SELECT user_id, n.audience, n.before + recipient.nth, recipient.history_id, statement_timestamp()
      FROM numbered n JOIN recipient USING (user_id)
    RETURNING id, user_id, seq, history_id, created_at
  )
  SELECT id, history_id AS "historyId", user_id AS "userId", seq, created_at AS "createdAt", email, locale
    FROM made JOIN numbered USING (user_id)`,
};
