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
import type { Settlement } from '../settlement.js';

/** All of a vendor are told when a buyer moves one of their orders to production. */
const USERS_A_VENDOR = 20;
/** None has orders, so that a user who is first seen finds nothing older in the inbox. */
const VENDORS = 100;
/** Of a send; all partitions of the topic together. */
const PER_SEND = 500;
const PATIENCE_MS = 30 * 60_000;

export interface FanOutResult {
  transitions: number;
  notifications: number;
  /** From the first record sent until the last notification is in its inbox. */
  untilInInboxesSeconds: number;
  /** Until the last one is on `po.notifications.v1`, too. */
  untilAnnouncedSeconds: number;
}

/** Sends transitions of which each concerns 20 users to their topic, as the purchase-orders service does. */
export async function measureFanOut(settlement: Settlement, transitions: number): Promise<FanOutResult> {
  const vendors = Array.from({ length: VENDORS }, (_, index) => `BENCH-FAN-${index + 1}`);
  await announceUsers(settlement, vendors);
  const events = Array.from({ length: transitions }, (_, nth) => transitionOf(vendors[nth % VENDORS] ?? '', nth));
  const notifications = transitions * USERS_A_VENDOR;
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1000;
  await sendAll(settlement, events);
  await counted('all notifications are in the inboxes', settlement, notifications, COUNT_DELIVERED);
  const untilInInboxesSeconds = secondsSince();
  await settlement.settled();
  return { transitions, notifications, untilInInboxesSeconds, untilAnnouncedSeconds: secondsSince() };
}

// The counts that the database keeps: counting the notifications themselves would take what the fan-out needs.
const COUNT_DELIVERED = `SELECT COALESCE(sum(total), 0) AS count FROM inboxes WHERE user_id LIKE 'bench-fan-%'`;
const COUNT_USERS = `SELECT count(*) FROM users WHERE user_id LIKE 'bench-fan-%'`;

async function counted(what: string, { notifications }: Settlement, expected: number, sql: string): Promise<void> {
  const all = async () => {
    const { rows } = await notifications.query<{ count: string }>(sql);
    if (Number(rows[0]?.count) < expected) throw new Error(`${rows[0]?.count} of ${expected}`);
    return true;
  };
  await eventually(what, all, { timeoutMs: PATIENCE_MS });
}

/** Makes the users known as the gateway does when they call. */
async function announceUsers(settlement: Settlement, vendors: readonly string[]): Promise<void> {
  const users = vendors.flatMap((vendorCode) =>
    Array.from({ length: USERS_A_VENDOR }, (_, index) => userOf(vendorCode, `${vendorCode}-${index}`.toLowerCase())),
  );
  await sendAll(settlement, users);
  await counted('all users are known', settlement, users.length, COUNT_USERS);
  await settlement.settled();
}

async function sendAll({ kafka }: Settlement, records: readonly OutgoingRecord[]): Promise<void> {
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
    ...{ id: randomUUID(), poRef: poNumber, poNumber, sequence: 3, poVersion: 3 },
    ...{ action: 'MOVE_TO_PRODUCTION', actionLabel: label, actionLabelZh: labelZh },
    ...{ fromStatusId: from.statusId, fromStatus: from.status, fromStatusZh: from.statusZh },
    ...{ toStatusId: to.statusId, toStatus: to.status, toStatusZh: to.statusZh, statusColor: to.statusColor },
    ...{ comment: null, actorId: 'bench-buyer', actorName: 'Bench', actorRole: 'BUYER', changes: null },
    ...{ vendorCode, vendor: 'Bench', buyerEmail: null, amount: 1, currency: 'USD', xfDate: '2027-03-01' },
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
