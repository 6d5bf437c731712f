import type { AnyAction } from '@po/contracts';
import type { Operation, OperationKind, Outcome } from '../operation-log.js';
import type { Deviation } from '../../../services/purchase-orders/src/domain/tolerances.js';
import type { Evidence, StoredEntry } from './evidence.js';

const poNumber = 'PO-1';
const vendorCode = 'ACME';

const operation = (
  mark: string,
  kind: OperationKind,
  user: string,
  detail: string,
  ...attempts: Outcome[]
): Operation => ({
  ...{ mark, kind, scenario: 'example', target: poNumber, user, detail },
  startedAt: '2026-11-21T08:00:00.000Z',
  attempts,
});

const entry = (
  sequence: number,
  version: number,
  action: AnyAction,
  [fromStatusId, toStatusId]: [number | null, number],
  others: Pick<StoredEntry, 'actorRole'> & Partial<StoredEntry>,
): StoredEntry => ({
  ...{ id: `h${sequence}`, poNumber, vendorCode, sequence, version, action, fromStatusId, toStatusId },
  ...{ actorId: null, comment: null, submission: null },
  ...others,
});

const order = { poNumber, vendorCode, buyerEmail: 'buyer@example.com', sourceRevision: 1 };
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
  const acknowledged = { kind: 'acknowledged', status: 200, version: null, historyId: null, replayed: false } as const;
  const unknown = { kind: 'unknown', why: '504', key: 'k' } as const;
  const refused = { kind: 'refused', status: 409, code: 'TRANSITION_NOT_ALLOWED' } as const;
  const shown = { gateway: 0, activity: ['h3', 'h2'], kpis: { ...counts, new: 0, confirmed: 1 } };
  return {
    operations: [
      operation('10001', 'source', 'inventory', '1', acknowledged),
      operation('10002', 'header', 'acme', 'vendor_reply_comment', { ...acknowledged, version: 2 }),
      operation('10003', 'transition', 'acme', 'SUBMIT', unknown, { ...acknowledged, version: 3, historyId: 'h2' }),
      operation('10004', 'transition', 'buyer', 'APPROVE', { ...acknowledged, version: 4, historyId: 'h3' }),
      operation('10005', 'transition', 'buyer', 'REJECT', refused),
      operation('10006', 'message', 'acme', 'all', { ...acknowledged, status: 201 }),
    ],
    orders: [{ ...order, statusId: 300, version: 4, sequence: 3 }],
    history: [
      entry(1, 1, 'IMPORT', [null, 100], { actorRole: 'SYSTEM' }),
      entry(2, 3, 'SUBMIT', [100, 200], {
        actorId: 'u-acme',
        actorRole: 'VENDOR',
        comment: '10003',
        submission: SUBMISSION,
      }),
      entry(3, 4, 'APPROVE', [200, 300], { actorId: 'u-buyer', actorRole: 'BUYER', comment: '10004' }),
    ],
    messages: [
      {
        id: 't1',
        poNumber,
        vendorCode,
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
