import type { Operation } from '../operation-log.js';
import type { Deviation } from '../../../services/purchase-orders/src/domain/tolerances.js';
import type { Evidence } from './evidence.js';

const operation = (
  mark: string,
  fields: Pick<Operation, 'kind' | 'target' | 'user' | 'detail' | 'attempts'>,
): Operation => ({
  mark,
  scenario: 'example',
  startedAt: '2026-11-21T08:00:00.000Z',
  ...fields,
});

const order = { poNumber: 'PO-1', vendorCode: 'ACME', buyerEmail: 'buyer@example.com', sourceRevision: 1 };
const entry = { poNumber: 'PO-1', vendorCode: 'ACME' };
const mail = { mode: 'now', attempts: 1, outcome: 'sent' } as const;
const toAcme = (id: string) => ({ id, userId: 'u-acme', email: 'li@acme.example', mail: 'now' });
const toBuyer = { id: 'n3', userId: 'u-buyer', email: 'buyer@example.com', mail: 'now' };
export const NOTHING_CHANGED: Deviation = {
  daysLater: 0,
  factoryChanged: false,
  qtyIncrease: null,
  qtyDecrease: null,
  priceIncrease: null,
  priceDecrease: null,
  currency: 'USD',
  amount: '10000',
  hasSourceConflict: false,
};
/** Exceeds every policy of these tests. */
const SUBMISSION = { ...NOTHING_CHANGED, qtyIncrease: { from: '1', to: '10001' } };
const counts = { revision: 0, pending: 0, production: 0, shipped: 0, delivered: 0, cancelled: 0 };

/**
 * Valid evidence of one order: imported, commented by its vendor, submitted, approved; a rejection came too late. Buyer and vendor are
 * notified. Specs corrupt one part of the evidence.
 */
export function validEvidence(): Evidence {
  const acknowledged = { kind: 'acknowledged', status: 200, replayed: false } as const;
  const shown = { gateway: 0, activity: ['h3', 'h2'], kpis: { ...counts, new: 0, confirmed: 1 } };
  const target = 'PO-1';
  return {
    operations: [
      operation('10001', {
        kind: 'source',
        user: 'inventory',
        detail: '1',
        target,
        attempts: [{ ...acknowledged, version: null, historyId: null }],
      }),
      operation('10002', {
        kind: 'header',
        user: 'acme',
        detail: 'vendor_reply_comment',
        target,
        attempts: [{ ...acknowledged, version: 2, historyId: null }],
      }),
      operation('10003', {
        kind: 'transition',
        user: 'acme',
        detail: 'SUBMIT',
        target,
        attempts: [
          { kind: 'unknown', why: '504', key: 'k' },
          { ...acknowledged, version: 3, historyId: 'h2' },
        ],
      }),
      operation('10004', {
        kind: 'transition',
        user: 'buyer',
        detail: 'APPROVE',
        target,
        attempts: [{ ...acknowledged, version: 4, historyId: 'h3' }],
      }),
      operation('10005', {
        kind: 'transition',
        user: 'buyer',
        detail: 'REJECT',
        target,
        attempts: [{ kind: 'refused', status: 409, code: 'TRANSITION_NOT_ALLOWED' }],
      }),
      operation('10006', {
        kind: 'message',
        user: 'acme',
        detail: 'all',
        target,
        attempts: [{ ...acknowledged, status: 201, version: null, historyId: null }],
      }),
    ],
    orders: [{ ...order, statusId: 300, version: 4, sequence: 3 }],
    history: [
      {
        ...entry,
        id: 'h1',
        sequence: 1,
        version: 1,
        action: 'IMPORT',
        fromStatusId: null,
        toStatusId: 100,
        comment: null,
        actorId: null,
        actorRole: 'SYSTEM',
        submission: null,
      },
      {
        ...entry,
        id: 'h2',
        sequence: 2,
        version: 3,
        action: 'SUBMIT',
        fromStatusId: 100,
        toStatusId: 200,
        comment: '10003',
        actorId: 'u-acme',
        actorRole: 'VENDOR',
        submission: SUBMISSION,
      },
      {
        ...entry,
        id: 'h3',
        sequence: 3,
        version: 4,
        action: 'APPROVE',
        fromStatusId: 200,
        toStatusId: 300,
        comment: '10004',
        actorId: 'u-buyer',
        actorRole: 'BUYER',
        submission: null,
      },
    ],
    messages: [
      {
        ...entry,
        id: 't1',
        body: '10006',
        visibility: 'all',
        authorId: 'u-acme',
        authorRole: 'VENDOR',
        mentions: [],
      },
    ],
    posted: [
      { id: 't1', poNumber: 'PO-1' },
      { id: 't1', poNumber: 'PO-1' },
    ],
    users: [
      { userId: 'u-acme', role: 'VENDOR', vendorCode: 'ACME', email: null },
      { userId: 'u-bolt', role: 'VENDOR', vendorCode: 'BOLT', email: null },
      { userId: 'u-buyer', role: 'BUYER', vendorCode: null, email: 'buyer@example.com' },
    ],
    notifications: [
      { id: 'n1', userId: 'u-acme', historyId: 'h1', seq: 1, read: true },
      { id: 'n2', userId: 'u-acme', historyId: 'h3', seq: 2, read: false },
      { id: 'n3', userId: 'u-buyer', historyId: 'h2', seq: 1, read: false },
      { id: 'n4', userId: 'u-buyer', historyId: 't1', seq: 2, read: true },
    ],
    transitions: [
      { id: 'h1', poNumber: 'PO-1', sequence: 1 },
      { id: 'h2', poNumber: 'PO-1', sequence: 2 },
      { id: 'h1', poNumber: 'PO-1', sequence: 1 },
      { id: 'h3', poNumber: 'PO-1', sequence: 3 },
    ],
    states: [
      { poNumber: 'PO-1', version: 1, statusId: 100, marks: ['10001'] },
      { poNumber: 'PO-1', version: 2, statusId: 100, marks: ['10001', '10002'] },
      { poNumber: 'PO-1', version: 3, statusId: 200, marks: ['10001', '10002'] },
      { poNumber: 'PO-1', version: 4, statusId: 300, marks: ['10001', '10002'] },
    ],
    announced: [toAcme('n1'), toAcme('n2'), toBuyer, toBuyer, { ...toBuyer, id: 'n4', mail: 'digest' }],
    mails: [
      { ...mail, id: 'm1', userId: 'u-acme', notificationIds: ['n1'], outcome: 'read' },
      { ...mail, id: 'm2', userId: 'u-acme', notificationIds: ['n2'], attempts: 2 },
      { ...mail, id: 'm3', userId: 'u-buyer', notificationIds: ['n3'] },
    ],
    // The first mail came twice: the service did not know that the mail server had accepted it.
    accepted: [
      { messageId: '0480a93d2e9b094b89e08e01976089ac', to: ['li@acme.example'], orders: ['PO-1'] },
      { messageId: '0480a93d2e9b094b89e08e01976089ac', to: ['li@acme.example'], orders: ['PO-1'] },
      { messageId: '8721d664ef60096aa559e1aa6c72caf1', to: ['buyer@example.com'], orders: ['PO-1'] },
    ],
    deadLetters: [
      { topic: 'g.dlq.v1', name: 'p1', reason: 'the value is not JSON', value: Buffer.from('{'), key: 'k' },
    ],
    poison: [{ name: 'p1', deadLetterTopic: 'g.dlq.v1', reason: /not JSON/, value: Buffer.from('{'), key: 'k' }],
    shown: [
      { ...shown, userId: 'u-acme', unread: 1 },
      { ...shown, userId: 'u-bolt', unread: 0, activity: [], kpis: { ...counts, new: 0, confirmed: 0 } },
      { ...shown, userId: 'u-buyer', unread: 1 },
    ],
  };
}
