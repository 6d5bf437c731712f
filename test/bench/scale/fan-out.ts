import { randomUUID } from 'node:crypto';
import {
  EVENT_TYPES,
  type PurchaseOrderTransitioned,
  STATUS,
  TOPICS,
  type UserSeen,
  actionLabels,
  statusOf,
} from '@po/contracts';
import { type OutgoingRecord, cloudEventHeaders } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import type { BenchStack } from '../stack.js';

/** All are notified when a buyer moves an order of their vendor to production. */
const USERS_A_VENDOR = 20;
/** Without orders, so that the inbox of a new user is empty. */
const VENDORS = 100;
const PER_SEND = 500;
const PATIENCE_MS = 30 * 60_000;

/** Sends transitions, each for 20 users, to their topic, as the purchase-orders service does. */
export async function measureFanOut(stack: BenchStack, transitions: number): Promise<object[]> {
  const vendors = Array.from({ length: VENDORS }, (_, index) => `BENCH-FAN-${index + 1}`);
  await announceUsers(stack, vendors);
  const events = Array.from({ length: transitions }, (_, nth) => transitionOf(vendors[nth % VENDORS] ?? '', nth));
  const notifications = transitions * USERS_A_VENDOR;
  const startedAt = performance.now();
  const row = (until: string) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const what = `${notifications} notifications of ${transitions} transitions, until ${until}`;
    return { what, seconds, 'a second': notifications / seconds };
  };
  await sendAll(stack, events);
  await counted('all notifications are in the inboxes', stack, notifications, COUNT_DELIVERED);
  const inInboxes = row('in the inboxes');
  await stack.settled();
  return [inInboxes, row('on po.notifications.v1')];
}

// The counters of the inboxes: to count the notifications would slow the fan-out down.
const COUNT_DELIVERED = `SELECT COALESCE(sum(total), 0) AS count FROM inboxes WHERE user_id LIKE 'bench-fan-%'`;
const COUNT_USERS = `SELECT count(*) FROM users WHERE user_id LIKE 'bench-fan-%'`;

async function counted(what: string, { notifications }: BenchStack, expected: number, sql: string): Promise<void> {
  const all = async () => {
    const { rows } = await notifications.query<{ count: string }>(sql);
    if (Number(rows[0]?.count) < expected) throw new Error(`${rows[0]?.count} of ${expected}`);
    return true;
  };
  await eventually(what, all, { timeoutMs: PATIENCE_MS });
}

/** Announces the users as the gateway does at their first request. */
async function announceUsers(stack: BenchStack, vendors: readonly string[]): Promise<void> {
  const users = vendors.flatMap((vendorCode) =>
    Array.from({ length: USERS_A_VENDOR }, (_, index) => userOf(vendorCode, `${vendorCode}-${index}`.toLowerCase())),
  );
  await sendAll(stack, users);
  await counted('all users are known', stack, users.length, COUNT_USERS);
  await stack.settled();
}

async function sendAll({ kafka }: BenchStack, records: readonly OutgoingRecord[]): Promise<void> {
  const producer = kafka.producer({ acks: 'all' });
  await producer.connect();
  for (let first = 0; first < records.length; first += PER_SEND) {
    await producer.send(records.slice(first, first + PER_SEND));
  }
  await producer.disconnect();
}

function userOf(vendorCode: string, sub: string): OutgoingRecord {
  const seenAt = new Date().toISOString();
  const user: UserSeen = { sub, email: null, name: sub, role: 'VENDOR', vendorCode, locale: 'en', seenAt };
  const event = { id: randomUUID(), type: EVENT_TYPES.userSeen, source: '/gateway', subject: sub, time: seenAt };
  return { topic: TOPICS.users, key: sub, value: JSON.stringify(user), headers: cloudEventHeaders(event) };
}

function transitionOf(vendorCode: string, nth: number): OutgoingRecord {
  const poNumber = `PO-FAN-${nth}`;
  const [from, to] = [statusOf(STATUS.CONFIRMED), statusOf(STATUS.IN_PRODUCTION)];
  const { label, labelZh } = actionLabels('MOVE_TO_PRODUCTION');
  const transition: PurchaseOrderTransitioned = {
    id: randomUUID(),
    poRef: poNumber,
    poNumber,
    sequence: 3,
    poVersion: 3,
    action: 'MOVE_TO_PRODUCTION',
    actionLabel: label,
    actionLabelZh: labelZh,
    fromStatusId: from.statusId,
    fromStatus: from.status,
    fromStatusZh: from.statusZh,
    toStatusId: to.statusId,
    toStatus: to.status,
    toStatusZh: to.statusZh,
    statusColor: to.statusColor,
    comment: null,
    actorId: 'bench-buyer',
    actorName: 'Bench',
    actorRole: 'BUYER',
    changes: null,
    vendorCode,
    vendor: 'Bench',
    buyerEmail: null,
    amount: 1,
    currency: 'USD',
    xfDate: '2027-03-01',
    occurredAt: new Date().toISOString(),
  };
  const { id, occurredAt: time } = transition;
  const event = { id, type: EVENT_TYPES.transitioned, source: '/purchase-orders', subject: poNumber, time };
  return {
    topic: TOPICS.transitions,
    key: poNumber,
    value: JSON.stringify(transition),
    headers: cloudEventHeaders(event),
  };
}
