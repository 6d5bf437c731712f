import { MAX_EXCERPT, type NotificationKind, anyStatus } from '@po/contracts';
import { type Statement, columnsOf } from '@po/database';
import { NOTIFICATION_ID, RECEIVES, isRetained } from '../store/user-directory.js';
import type { MessagePosted, ReminderDue, Transition } from './events.js';
import { AUDIENCE_OF_USER } from '../inbox/inbox.js';
import { NOBODY, recipientsOfMessage, recipientsOfReminder, recipientsOfTransition } from './recipients.js';
import { MAX_ENTRY_AGE_DAYS } from '../store/dedup-window.js';
import type { StoredPreferences } from '../preferences/default-preferences.js';
import { type RecipientRule, Entry } from '../store/entry.entity.js';

/** An entry as a row of the STORE_ENTRIES parameter. Has both rules, because only the database knows whether the buyer is a user. */
export interface EntryRow extends Omit<Entry, 'toBuyers' | 'occurredAt'> {
  occurredAt: string;
  toKnownBuyer: RecipientRule['buyers'];
  toUnknownBuyer: RecipientRule['buyers'];
}

/** The fields of a stored entry that determine its recipients. */
export interface NewEntry {
  entryId: string;
  kind: NotificationKind;
  vendorCode: string;
  buyerEmail: string | null;
  actorId: string | null;
  occurredAt: Date;
  toVendor: boolean;
  toBuyers: RecipientRule['buyers'];
  internal: boolean;
  named: string[] | null;
}

/** Notification of one user with its number and date, and the user's contact data and preferences. */
export interface Delivery {
  id: string;
  entryId: string;
  userId: string;
  seq: number;
  createdAt: Date;
  email: string | null;
  locale: string | null;
  chosen: StoredPreferences | null;
}

type RecipientColumns = Pick<EntryRow, 'toVendor' | 'toKnownBuyer' | 'toUnknownBuyer'>;

const recipientColumns = (recipientsOf: (buyerKnown: boolean) => RecipientRule): RecipientColumns => {
  const [known, unknown] = [recipientsOf(true), recipientsOf(false)];
  return { toVendor: known.vendor, toKnownBuyer: known.buyers, toUnknownBuyer: unknown.buyers };
};

const FOR_BOTH_SIDES = { internal: false, named: null };

export function transitionRow({
  id,
  autoApproved,
  ...fields
}: Omit<Transition, 'changes' | 'submittedChanges'>): EntryRow {
  return {
    ...fields,
    entryId: id,
    kind: 'TRANSITION',
    dueOn: null,
    step: null,
    title: null,
    titleZh: null,
    ...FOR_BOTH_SIDES,
    ...recipientColumns((known) =>
      autoApproved ? NOBODY : recipientsOfTransition(fields.action, fields.actorRole, known),
    ),
  };
}

/** `dueAt`: creation time of the reminder. */
export function reminderRow({ id, rule, statusId, ...fields }: ReminderDue, dueAt: string): EntryRow {
  return {
    ...fields,
    ...labelsOf(statusId),
    entryId: id,
    kind: 'REMINDER',
    action: rule,
    fromStatusId: statusId,
    toStatusId: statusId,
    comment: null,
    actorId: null,
    actorName: null,
    actorRole: 'SYSTEM',
    occurredAt: dueAt,
    ...FOR_BOTH_SIDES,
    ...recipientColumns((known) => recipientsOfReminder(rule, known)),
  };
}

/** Names only the mentioned users; STORE_ENTRIES adds the earlier authors of the thread. */
export function messageRow({ id, body, statusId, mentions, visibility, ...fields }: MessagePosted): EntryRow {
  const { authorId, authorName, authorRole, createdAt, ...order } = fields;
  const internal = visibility !== 'all';
  return {
    ...order,
    ...labelsOf(statusId),
    ...titlesOfMessage(order.poNumber, authorName, internal),
    entryId: id,
    kind: 'MESSAGE',
    action: 'MESSAGE',
    fromStatusId: statusId,
    toStatusId: statusId,
    comment: Array.from(body).slice(0, MAX_EXCERPT).join(''),
    actorId: authorId,
    actorName: authorName,
    actorRole: authorRole,
    occurredAt: createdAt,
    dueOn: null,
    step: null,
    internal,
    named: mentions.map(({ userId }) => userId),
    ...recipientColumns((known) => recipientsOfMessage(visibility, authorRole, known)),
  };
}

function titlesOfMessage(
  poNumber: string,
  author: string | null,
  internal: boolean,
): Pick<EntryRow, 'title' | 'titleZh'> {
  const [by, zhBy] = author === null ? ['', ''] : [` by ${author}`, `${author} 的`];
  return {
    title: `${poNumber}: ${internal ? 'internal message' : 'message'}${by}`,
    titleZh: `${poNumber}：${zhBy}${internal ? '内部消息' : '消息'}`,
  };
}

function labelsOf(statusId: number): Pick<EntryRow, 'toStatus' | 'toStatusZh' | 'statusColor'> {
  const { status, statusZh, statusColor } = anyStatus(statusId);
  return { toStatus: status, toStatusZh: statusZh, statusColor };
}

const columns = columnsOf(Entry);

const SELECTED: Record<string, string> = {
  buyerEmail: 'b.email',
  toBuyers: `CASE WHEN EXISTS (SELECT 1 FROM users u WHERE u.role = 'BUYER' AND lower(u.email) = b.email AND ${isRetained('$2')})
                  THEN e."toKnownBuyer" ELSE e."toUnknownBuyer" END`,
  // The mentioned users and the earlier authors of the thread. Message ids ascend within an order.
  named: `CASE WHEN e.kind = 'MESSAGE' THEN ARRAY(
            SELECT unnest(e.named) UNION
            SELECT a.user_id FROM message_authors a WHERE a.po_ref = e."poRef" AND a.first_message_id < e."entryId") END`,
};

/**
 * $1: JSON array of EntryRow, $2: days of UserRetention. Returns a NewEntry for each entry that was not known. An entry beyond the dedup
 * window counts as known, because its copy may be deleted. Inserts in sorted order: otherwise two processes that briefly have the same
 * partition would deadlock.
 */
export const STORE_ENTRIES: Statement = {
  name: 'entries-store',
  text: `
  INSERT INTO transitions (${columns.map(({ column }) => column).join(', ')})
  SELECT ${columns.map(({ property }) => SELECTED[property] ?? `e."${property}"`).join(', ')}
    FROM json_to_recordset($1::json) AS e(${columns.map(({ property, type }) => `"${property}" ${type}`).join(', ')},
                                          "toKnownBuyer" text, "toUnknownBuyer" text),
         LATERAL (SELECT lower(NULLIF(e."buyerEmail", '')) AS email) b
   WHERE e."occurredAt" > now() - interval '${MAX_ENTRY_AGE_DAYS} days'
   ORDER BY e."entryId"
      ON CONFLICT DO NOTHING
  RETURNING history_id AS "entryId", kind, vendor_code AS "vendorCode", buyer_email AS "buyerEmail", actor_id AS "actorId",
            occurred_at AS "occurredAt", to_vendor AS "toVendor", to_buyers AS "toBuyers", internal, named`,
};

/**
 * $1: as in STORE_ENTRIES, which must run later. Inserts in sorted order, too. Messages from before the deletion of their author do not
 * count.
 */
export const ADD_AUTHORS: Statement = {
  name: 'message-authors-add',
  text: `
  INSERT INTO message_authors AS a (po_ref, user_id, first_message_id, last_at)
  SELECT e."poRef", e."actorId", min(e."entryId"), max(e."occurredAt")
    FROM json_to_recordset($1::json) AS e(kind text, "entryId" text, "poRef" text, "actorId" text, "occurredAt" timestamptz)
   WHERE e.kind = 'MESSAGE'
     AND NOT EXISTS (SELECT 1 FROM users u WHERE u.user_id = e."actorId" AND u.deleted_at >= e."occurredAt")
   GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (po_ref, user_id) DO UPDATE
     SET first_message_id = LEAST(a.first_message_id, excluded.first_message_id), last_at = GREATEST(a.last_at, excluded.last_at)`,
};

// Does not join the table of entries: a plan made while that table was empty would scan all of it. Three branches, so that each finds its
// users by its own index; UNION removes users found by two of them.
const RECIPIENTS = `
    WITH t AS (
      SELECT "entryId" AS history_id, kind, "vendorCode" AS vendor_code, "buyerEmail" AS buyer_email, "actorId" AS actor_id,
             "occurredAt" AS occurred_at, "toVendor" AS to_vendor, "toBuyers" AS to_buyers, internal, named, nth
        FROM ROWS FROM (json_to_recordset($1::json) AS ("entryId" text, kind text, "vendorCode" text, "buyerEmail" text,
                                                        "actorId" text, "occurredAt" timestamptz, "toVendor" boolean,
                                                        "toBuyers" text, internal boolean, named text[])) WITH ORDINALITY
          AS e("entryId", kind, "vendorCode", "buyerEmail", "actorId", "occurredAt", "toVendor", "toBuyers", internal, named, nth)
    )
    SELECT u.user_id, t.history_id, t.kind, t.nth FROM t JOIN users u ON ${RECEIVES.VENDOR} AND ${isRetained('$2')}
    UNION
    SELECT u.user_id, t.history_id, t.kind, t.nth FROM t JOIN users u ON ${RECEIVES.BUYER} AND ${isRetained('$2')}
    UNION
    SELECT u.user_id, t.history_id, t.kind, t.nth
      FROM t JOIN users u ON u.user_id = ANY (t.named) AND ${RECEIVES.NAMED} AND ${isRetained('$2')}`;

/**
 * $1: JSON array of NewEntry, $2: days of UserRetention. Locks all recipients in sorted order before any row is changed: otherwise two
 * fan-outs that share users would deadlock.
 */
export const LOCK_RECIPIENTS: Statement = {
  name: 'recipients-lock',
  text: `
  WITH recipient AS MATERIALIZED (${RECIPIENTS}), locked AS (
    SELECT user_id FROM users WHERE user_id IN (SELECT user_id FROM recipient) ORDER BY user_id FOR NO KEY UPDATE
  ) SELECT count(*)::integer AS users, (SELECT count(*)::integer FROM recipient) AS notifications FROM locked`,
};

// A subquery for one user: a join planned while the table was empty would scan all of it.
const CHOSEN = `(SELECT json_build_object('locale', p.locale, 'timeZone', p.time_zone, 'mail', p.mail, 'digestAt', p.digest_at)
                   FROM preferences p WHERE p.user_id = numbered.user_id)`;

/** Parameters as in LOCK_RECIPIENTS, which must run first. The array has the stored, new entries in delivery order. Returns Delivery[]. */
export const DELIVER: Statement = {
  name: 'notifications-deliver',
  text: `
  WITH recipient AS MATERIALIZED (
    SELECT user_id, history_id, kind, row_number() OVER (PARTITION BY user_id ORDER BY nth) AS nth
      FROM (${RECIPIENTS}) r
  ), numbered AS (
    UPDATE users u SET last_seq = u.last_seq + c.count
      FROM (SELECT user_id, count(*)::integer AS count FROM recipient GROUP BY user_id) c
     WHERE u.user_id = c.user_id
    RETURNING u.user_id, u.last_seq - c.count AS before, u.email, u.locale, ${AUDIENCE_OF_USER} AS audience
  ), made AS (
    INSERT INTO notifications (id, user_id, audience, seq, history_id, kind, created_at)
    SELECT ${NOTIFICATION_ID}, user_id, n.audience, n.before + recipient.nth, recipient.history_id, recipient.kind,
           statement_timestamp()
      FROM numbered n JOIN recipient USING (user_id)
    RETURNING id, user_id, seq, history_id, created_at
  )
  SELECT id, history_id AS "entryId", user_id AS "userId", seq, created_at AS "createdAt", email, locale, ${CHOSEN} AS chosen
    FROM made JOIN numbered USING (user_id)`,
};
