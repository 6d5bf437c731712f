import {
  type ActorRole,
  type AnyAction,
  KPI_KEYS,
  type Kpis,
  type MessageVisibility,
  type Role,
  STATUSES,
} from '@po/contracts';
import type { Deviation } from '../../../services/purchase-orders/src/domain/tolerances.js';
import { databaseOf } from '../database.js';
import { rowsOf } from '../../support/rows.js';
import type { Operation } from '../operation-log.js';
import type { AcceptedMail } from '../mail-server.js';
import type {
  AnnouncedNotification,
  DeadLetter,
  PublishedMessage,
  PublishedState,
  PublishedTransition,
} from '../topics.js';
import { USERS, USER_NAMES } from '../users.js';
import { type Poison, type World, ask, gatewaysOf } from '../world.js';

export interface StoredOrder {
  poNumber: string;
  vendorCode: string;
  buyerEmail: string | null;
  statusId: number;
  version: number;
  sequence: number;
  sourceRevision: number;
}

export interface StoredEntry {
  id: string;
  poNumber: string;
  vendorCode: string;
  sequence: number;
  version: number;
  action: AnyAction;
  fromStatusId: number | null;
  toStatusId: number;
  comment: string | null;
  actorId: string | null;
  actorRole: ActorRole;
  /** Null for actions other than SUBMIT. */
  submission: Deviation | null;
}

export interface StoredMessage {
  id: string;
  poNumber: string;
  vendorCode: string;
  body: string;
  visibility: MessageVisibility;
  authorId: string;
  authorRole: Role;
  /** Ids of users. */
  mentions: string[];
}

interface StoredNotification {
  id: string;
  userId: string;
  /** Id of the history entry or the message. */
  historyId: string;
  seq: number;
  read: boolean;
}

/** A stored mail with the ids of its notifications. */
export interface QueuedMail {
  id: string;
  userId: string;
  mode: 'now' | 'digest';
  attempts: number;
  /** Null while the mail waits. */
  outcome: string | null;
  notificationIds: string[];
}

export interface DirectoryUser {
  userId: string;
  role: string;
  vendorCode: string | null;
  email: string | null;
}

/** Dashboard and unread count of one user at one gateway. */
interface Shown {
  userId: string;
  gateway: number;
  kpis: Kpis;
  /** Ids of history entries, newest first. */
  activity: string[];
  unread: number;
}

/** The state of a system at rest at one moment. The checks depend on nothing else. */
export interface Evidence {
  operations: readonly Operation[];
  orders: StoredOrder[];
  /** Sorted by order and sequence. */
  history: StoredEntry[];
  /** Sorted by order, oldest first. */
  messages: StoredMessage[];
  users: DirectoryUser[];
  notifications: StoredNotification[];
  transitions: readonly PublishedTransition[];
  states: readonly PublishedState[];
  posted: readonly PublishedMessage[];
  announced: readonly AnnouncedNotification[];
  mails: QueuedMail[];
  accepted: readonly AcceptedMail[];
  deadLetters: readonly DeadLetter[];
  poison: readonly Poison[];
  shown: Shown[];
}

/** A sentence that names the order, the ids, the expected value and the actual value. */
export type Violation = string;

/** Reads everything once. Call it when the system is at rest. */
export async function gatherEvidence(world: World): Promise<Evidence> {
  const [orders, inbox] = [databaseOf(world, 'purchaseOrders'), databaseOf(world, 'notifications')];
  await world.published.catchUp();
  const { transitions, states, messages: posted, announced, deadLetters } = world.published;
  return {
    operations: world.log.operations,
    transitions,
    states,
    posted,
    announced,
    deadLetters,
    poison: world.poison,
    orders: await rowsOf(
      orders,
      `SELECT po_number AS "poNumber", vendor_code AS "vendorCode", buyer_email AS "buyerEmail", version, sequence,
              status_id AS "statusId", source_revision::int AS "sourceRevision" FROM purchase_orders ORDER BY id`,
    ),
    history: await rowsOf(
      orders,
      `SELECT id, po_number AS "poNumber", vendor_code AS "vendorCode", sequence, po_version AS version, action, comment,
              from_status_id AS "fromStatusId", to_status_id AS "toStatusId", actor_id AS "actorId", actor_role AS "actorRole",
              submission
         FROM history ORDER BY order_id, sequence`,
    ),
    messages: await rowsOf(
      orders,
      `SELECT id, po_number AS "poNumber", vendor_code AS "vendorCode", body, visibility, author_id AS "authorId",
              author_role AS "authorRole", ARRAY(SELECT m ->> 'userId' FROM json_array_elements(mentions) m) AS mentions
         FROM messages ORDER BY order_id, id`,
    ),
    users: await rowsOf(inbox, 'SELECT user_id AS "userId", role, vendor_code AS "vendorCode", email FROM users'),
    notifications: await rowsOf(
      inbox,
      `SELECT n.id, n.user_id AS "userId", n.history_id AS "historyId", n.seq,
              n.read_at IS NOT NULL OR EXISTS (SELECT 1 FROM watermarks w
                WHERE w.user_id = n.user_id AND w.audience = n.audience AND w.seq >= n.seq) AS read
         FROM notifications n ORDER BY n.user_id, n.seq`,
    ),
    mails: await rowsOf(
      databaseOf(world, 'mail'),
      `SELECT m.id, m.user_id AS "userId", m.mode, m.attempts, m.outcome, array_agg(e.notification_id) AS "notificationIds"
         FROM mails m JOIN entries e ON e.mail_id = m.id GROUP BY m.id ORDER BY m.first_due_at, m.id`,
    ),
    accepted: world.mailServer.accepted,
    shown: await Promise.all(
      gatewaysOf(world).flatMap((gateway) => USER_NAMES.map((user) => show(world, gateway, user))),
    ),
  };
}

async function show(world: World, gateway: number, user: (typeof USER_NAMES)[number]): Promise<Shown> {
  const read = (path: string) => ask(world, gateway, user, { method: 'GET', path });
  const activity = (await read('/dashboard/recent-activity')).body as { id: string }[];
  return {
    userId: USERS[user].sub,
    gateway,
    kpis: (await read('/dashboard/kpis')).body as Kpis,
    activity: activity.map(({ id }) => id),
    unread: Number((await read('/notifications?limit=1')).headers.get('x-unread-count')),
  };
}

/** Number of orders by KPI key. */
export function kpisOf(orders: readonly Pick<StoredOrder, 'statusId'>[]): Kpis {
  const count = (key: string) =>
    orders.filter(({ statusId }) => STATUSES.find((status) => status.statusId === statusId)?.kpiKey === key).length;
  return Object.fromEntries(KPI_KEYS.map((key) => [key, count(key)])) as Kpis;
}
