import type { Evidence } from './evidence.js';
import { NOTHING_CHANGED } from './example.js';

type Row = [what: string, corrupt: (evidence: Evidence) => void, complaint: RegExp];

/** The element at `index`. Throws if there is none. */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error(`the example has no element ${index}`);
  return value;
}

const without = <T>(values: readonly T[], index: number): T[] => values.filter((_, each) => each !== index);
const again = <T>(values: readonly T[], index: number): T[] => [...values, at(values, index)];
const swapped = <T>(values: readonly T[], left: number, right: number): T[] =>
  values.map((value, index) => (index === left ? at(values, right) : index === right ? at(values, left) : value));

/** Changes the example so that a policy approves the submission immediately: only the approval causes notifications. */
export function approvedByPolicy(all: Evidence): void {
  Object.assign(at(all.history, 1), { submission: NOTHING_CHANGED });
  Object.assign(at(all.history, 2), { actorId: null, actorRole: 'SYSTEM', comment: 'Approval policy ACME, version 1' });
  all.operations = without(all.operations, 3);
  Object.assign(at(at(all.operations, 2).attempts, 1), { version: 4, autoApproved: true });
  Object.assign(at(all.notifications, 2), { historyId: 'h3' });
}

/** Corruptions of the evidence that each break one promise, and the violation that the oracle reports. */
export const CORRUPTIONS: Row[] = [
  [
    'an automatic approval beyond the policy',
    (all) => {
      approvedByPolicy(all);
      Object.assign(at(all.history, 1), { submission: { ...NOTHING_CHANGED, daysLater: 1 } });
    },
    /history entry h2: approved, though it is not within its policy/,
  ],
  [
    'a submission within the policy that was not approved',
    (all) => Object.assign(at(all.history, 1), { submission: NOTHING_CHANGED }),
    /history entry h2: not approved, though it is within its policy/,
  ],
  [
    'an automatic approval without a submission before it',
    (all) => {
      approvedByPolicy(all);
      all.history = without(all.history, 1);
    },
    /history entry h3: an automatic approval without a submission before it/,
  ],
  [
    'an answer that does not report the automatic approval',
    (all) => {
      approvedByPolicy(all);
      Object.assign(at(at(all.operations, 2).attempts, 1), { autoApproved: false });
    },
    /history entry h2: the answer misreports whether it was approved/,
  ],
  [
    'an acknowledged transition that is not in the history',
    (all) => (all.history = without(all.history, 2)),
    /operation 10004 .* must have taken effect once; found 0 times/,
  ],
  [
    'a refused transition that took effect',
    (all) => Object.assign(at(all.history, 2), { comment: '10005', action: 'REJECT' }),
    /operation 10005 .* must have taken effect never; found 1 times/,
  ],
  [
    'a retry that was answered with a wrong history id',
    (all) => Object.assign(at(at(all.operations, 2).attempts, 1), { historyId: 'h9' }),
    /operation 10003 .* was answered with entry h9; the history has h2/,
  ],
  [
    'an acknowledged patch without an effect',
    (all) => (all.states = all.states.map((state) => ({ ...state, marks: ['10001'] }))),
    /operation 10002 .* must have taken effect once; found 0 times on po.state.v1/,
  ],
  [
    'a patch that was answered with a wrong version',
    (all) => Object.assign(at(at(all.operations, 1).attempts, 0), { version: 3 }),
    /operation 10002 .* was answered with version 3; on po.state.v1 it is version 2/,
  ],
  [
    'an internal error',
    (all) => at(all.operations, 4).attempts.push({ kind: 'refused', status: 500, code: 'INTERNAL' }),
    /operation 10005 .* was answered 500/,
  ],
  [
    'a retried write that was executed again',
    (all) => {
      const { attempts } = at(all.operations, 3);
      attempts.push({ ...at(attempts, 0) });
    },
    /operation 10004 .* was retried, and the answer was no replay/,
  ],
  [
    'a source message that is on the topic but was not applied to the order',
    (all) => Object.assign(at(all.operations, 0), { detail: '2' }),
    /operation 10001 .* the order is at revision 1/,
  ],
  [
    'a message that was stored twice',
    (all) => (all.messages = [...all.messages, { ...at(all.messages, 0), id: 't2' }]),
    /operation 10006 .* found 2 times among the messages/,
  ],
  ['a lost message record', (all) => (all.posted = []), /PO-1: t1 is stored, but not on po.messages.v1/],
  [
    'a message without a notification to the buyer',
    (all) => (all.notifications = without(all.notifications, 3)),
    /missing notification to u-buyer about t1/,
  ],
  [
    'transition records in the wrong order',
    (all) => (all.transitions = swapped(all.transitions, 1, 3)),
    /first occurrences on po.transitions.v1 are h1,h3,h2; stored are h1,h2,h3/,
  ],
  [
    'a transition record without a history entry',
    (all) => (all.transitions = [...all.transitions, { id: 'h9', poNumber: 'PO-1', sequence: 4 }]),
    /PO-1: h9 is on po.transitions.v1, but not stored/,
  ],
  [
    'an outdated state as the last record',
    (all) => (all.states = again(all.states, 1)),
    /the last record on po.state.v1 is version 2 in 100; the order is version 4 in 300/,
  ],
  ['a lost state', (all) => (all.states = without(all.states, 2)), /version 3 of 4 is not on po.state.v1/],
  [
    'a version without an operation',
    (all) => {
      Object.assign(at(all.orders, 0), { version: 5 });
      all.states = [...all.states, { ...at(all.states, 3), version: 5 }];
    },
    /no operation explains version 5/,
  ],
  [
    'a duplicate notification',
    (all) => all.notifications.push({ ...at(all.notifications, 1), id: 'n2b', seq: 3, read: true }),
    /2 notifications to u-acme about h3/,
  ],
  [
    'a notification to a user of another vendor',
    (all) => all.notifications.push({ id: 'n4', userId: 'u-bolt', historyId: 'h1', seq: 1, read: true }),
    /unexpected notification to u-bolt about h1/,
  ],
  [
    'notifications in the wrong order',
    (all) => {
      Object.assign(at(all.notifications, 0), { seq: 2 });
      Object.assign(at(all.notifications, 1), { seq: 1 });
    },
    /inbox of u-acme: number 2 is entry 1 of order PO-1, after entry 3/,
  ],
  [
    'a gap in an inbox',
    (all) => Object.assign(at(all.notifications, 1), { seq: 3 }),
    /inbox of u-acme: number 3 where 2 was due/,
  ],
  [
    'a notification that was not published',
    (all) => (all.announced = all.announced.slice(0, 2)),
    /notification n3 .* is not on/,
  ],
  [
    'a notification that is in no mail',
    (all) => Object.assign(at(all.mails, 2), { notificationIds: [] }),
    /notification n3 of u-buyer is in no mail/,
  ],
  [
    'a notification that is in two mails',
    (all) => all.mails.push({ ...at(all.mails, 1), id: 'm9' }),
    /notification n2 is in 2 mails/,
  ],
  [
    'a mail that is marked as sent but never arrived',
    (all) => (all.accepted = without(all.accepted, 2)),
    /mail m3 of u-buyer: sent; accepted 0 times/,
  ],
  [
    'an immediate mail that still waits',
    (all) => Object.assign(at(all.mails, 2), { outcome: null }),
    /mail m3 of u-buyer: waits; accepted 1 times/,
  ],
  [
    'a mail that was skipped although its notification is unread',
    (all) => Object.assign(at(all.notifications, 0), { read: false }),
    /mail m1 of u-acme: read; accepted 0 times/,
  ],
  [
    'a mail that arrived more often than it was attempted',
    (all) => (all.accepted = again(all.accepted, 2)),
    /mail m3 of u-buyer was accepted 2 times in 1 attempts/,
  ],
  [
    'a repeated mail with another Message-ID',
    (all) => (all.accepted = [...all.accepted, { ...at(all.accepted, 2), messageId: 'other' }]),
    /a mail to buyer@example.com with Message-ID other matches no stored mail/,
  ],
  [
    'a mail to a wrong address',
    (all) => (all.accepted = [...without(all.accepted, 2), { ...at(all.accepted, 2), to: ['ana@bolt.example'] }]),
    /mail m3 of u-buyer went to ana@bolt.example/,
  ],
  [
    'a mail that shows an unrelated order',
    (all) => (all.accepted = [...without(all.accepted, 2), { ...at(all.accepted, 2), orders: ['PO-1', 'PO-2'] }]),
    /mail m3 of u-buyer shows order PO-2/,
  ],
  [
    'a mail about an order of another vendor',
    (all) => Object.assign(at(all.users, 0), { vendorCode: 'BOLT' }),
    /mail m2 to u-acme is about order PO-1 of ACME/,
  ],
  [
    'an immediate mail that its user did not want',
    (all) => (all.announced = all.announced.map((each) => ({ ...each, mail: 'off' }))),
    /mail m3 to u-buyer has notification n3, which this user does not get by mode now/,
  ],
  [
    "a mail with another user's notification",
    (all) => Object.assign(at(all.mails, 2), { notificationIds: ['n3', 'n1'] }),
    /mail m3 to u-buyer has notification n1, which this user does not get/,
  ],
  [
    'a wrong unread count',
    (all) => Object.assign(at(all.shown, 2), { unread: 2 }),
    /gateway 0 shows u-buyer 2 unread notifications; there are 1/,
  ],
  ['a KPI off by one', (all) => (at(all.shown, 0).kpis.new += 1), /gateway 0 shows u-acme 1 new orders; there are 0/],
  [
    'an activity feed in the wrong order',
    (all) => (at(all.shown, 2).activity = ['h2', 'h3']),
    /shows u-buyer the activity h2,h3; the latest is h3,h2/,
  ],
  [
    'a transition that the workflow does not allow',
    (all) => Object.assign(at(all.history, 2), { actorRole: 'VENDOR' }),
    /APPROVE by VENDOR from 200 to 300 is not in the workflow/,
  ],
  [
    'a gap in a history',
    (all) => Object.assign(at(all.history, 2), { sequence: 4 }),
    /history entry h3: has sequence 4; expected 3/,
  ],
  [
    'a history that does not end in the status of its order',
    (all) => Object.assign(at(all.orders, 0), { statusId: 400 }),
    /PO-1 is in 400; its history ends in 300/,
  ],
  ['a poison record without a dead letter', (all) => (all.deadLetters = []), /poison p1 is not on g.dlq.v1/],
  [
    'a dead letter of a valid record',
    (all) => (all.deadLetters = [...all.deadLetters, { ...at(all.deadLetters, 0), name: null }]),
    /an unexpected dead letter is on g.dlq.v1/,
  ],
  [
    'a dead letter without its reason',
    (all) => Object.assign(at(all.deadLetters, 0), { reason: '' }),
    /the reason "" does not match/,
  ],
  [
    'a dead letter with changed bytes',
    (all) => Object.assign(at(all.deadLetters, 0), { value: Buffer.from('{}') }),
    /poison p1 was changed on its way/,
  ],
];
