import type { Evidence } from './evidence.js';
import { NOTHING_CHANGED } from './example.js';

type Spoil = (evidence: Evidence) => void;
type Row = [what: string, spoil: Spoil, complaint: RegExp];

/** The nth of a list that surely has it. */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error(`the example has no number ${index}`);
  return value;
}

const without = <T>(values: readonly T[], index: number): T[] => values.filter((_, each) => each !== index);
const again = <T>(values: readonly T[], index: number): T[] => [...values, at(values, index)];
const swapped = <T>(values: readonly T[], left: number, right: number): T[] =>
  values.map((value, index) => (index === left ? at(values, right) : index === right ? at(values, left) : value));

/** The submission of the example as a policy approves it at once: nobody is notified of it, everybody of the approval. */
export function approvedByPolicy(all: Evidence): void {
  Object.assign(at(all.history, 1), { submission: NOTHING_CHANGED });
  Object.assign(at(all.history, 2), { actorId: null, actorRole: 'SYSTEM', comment: 'Approval policy ACME, version 1' });
  all.operations = without(all.operations, 3);
  Object.assign(at(at(all.operations, 2).attempts, 1), { version: 4, autoApproved: true });
  Object.assign(at(all.notifications, 2), { historyId: 'h3' });
}

/** What breaks one promise each, and what the oracle says of it. */
export const SPOILT: Row[] = [
  [
    'an automatic approval beyond the policy',
    (all) => {
      approvedByPolicy(all);
      Object.assign(at(all.history, 1), { submission: { ...NOTHING_CHANGED, daysLater: 1 } });
    },
    /history entry h2: approved, though it is not within its policy/,
  ],
  [
    'a submission within the policy that nobody approved',
    (all) => Object.assign(at(all.history, 1), { submission: NOTHING_CHANGED }),
    /history entry h2: not approved, though it is within its policy/,
  ],
  [
    'an automatic approval without a submission',
    (all) => {
      approvedByPolicy(all);
      all.history = without(all.history, 1);
    },
    /history entry h3: an automatic approval that follows no submission/,
  ],
  [
    'a caller who was not told of the approval',
    (all) => {
      approvedByPolicy(all);
      Object.assign(at(at(all.operations, 2).attempts, 1), { autoApproved: false });
    },
    /history entry h2: its caller was not told whether it was approved/,
  ],
  [
    'a buyer who was notified of a submission that was approved at once',
    (all) => {
      approvedByPolicy(all);
      Object.assign(at(all.notifications, 2), { historyId: 'h2' });
    },
    /u-buyer of h2 was told, who must not be/,
  ],
  [
    'an acknowledged transition that is not in the history',
    (all) => (all.history = without(all.history, 2)),
    /operation 10004 .* must have taken effect once; found 0 times/,
  ],
  [
    'an acknowledged transition that is there twice',
    (all) => (all.history = [...all.history, { ...at(all.history, 2), id: 'h4', sequence: 4, version: 5 }]),
    /operation 10004 .* found 2 times in the history: \["h3","h4"\]/,
  ],
  [
    'a refused transition that took effect',
    (all) => Object.assign(at(all.history, 2), { comment: '10005', action: 'REJECT' }),
    /operation 10005 .* must have taken effect never; found 1 times/,
  ],
  [
    'a retry that was told another entry than the history has',
    (all) => Object.assign(at(at(all.operations, 2).attempts, 1), { historyId: 'h9' }),
    /operation 10003 .* was told entry h9; the history has h2/,
  ],
  [
    'an acknowledged patch that left no trace',
    (all) => (all.states = all.states.map((state) => ({ ...state, marks: ['10001'] }))),
    /operation 10002 .* must have taken effect once; found 0 times on po.state.v1/,
  ],
  [
    'a patch whose version is not the one its caller was told',
    (all) => Object.assign(at(at(all.operations, 1).attempts, 0), { version: 3 }),
    /operation 10002 .* was told version 3; on po.state.v1 it is version 2/,
  ],
  [
    'an internal error',
    (all) => at(all.operations, 4).attempts.push({ kind: 'refused', status: 500, code: 'INTERNAL' }),
    /operation 10005 .* was answered 500/,
  ],
  [
    'a repeated write that was done anew',
    (all) => {
      const { attempts } = at(all.operations, 3);
      attempts.push({ ...at(attempts, 0) });
    },
    /operation 10004 .* was asked for again, and the answer was no replay/,
  ],
  [
    'a source message that the topic took and the order does not know',
    (all) => Object.assign(at(all.operations, 0), { detail: '2' }),
    /operation 10001 .* the order is at revision 1/,
  ],
  [
    'a lost transition record',
    (all) => (all.transitions = without(all.transitions, 1)),
    /PO-1: history entry h2 is not on po.transitions.v1/,
  ],
  [
    'an acknowledged message that is nowhere',
    (all) => Object.assign(all, { messages: [], posted: [] }),
    /operation 10006 .* must have taken effect once; found 0 times among the messages/,
  ],
  [
    'a message that is there twice',
    (all) => (all.messages = [...all.messages, { ...at(all.messages, 0), id: 't2' }]),
    /operation 10006 .* found 2 times among the messages/,
  ],
  ['a lost message record', (all) => (all.posted = []), /PO-1: message t1 is not on po.messages.v1/],
  [
    'a message that nobody told the buyer of',
    (all) => (all.notifications = without(all.notifications, 3)),
    /nobody told u-buyer of t1/,
  ],
  [
    'an internal message that a vendor was told of',
    (all) => Object.assign(at(all.messages, 0), { visibility: 'internal', authorId: 'u-buyer', mentions: ['u-acme'] }),
    /u-buyer of t1 was told, who must not be/,
  ],
  [
    'transition records in disorder',
    (all) => (all.transitions = swapped(all.transitions, 1, 3)),
    /first occurrences on po.transitions.v1 are h1,h3,h2; the history is h1,h2,h3/,
  ],
  [
    'a transition record that nobody wrote',
    (all) => (all.transitions = [...all.transitions, { id: 'h9', poNumber: 'PO-1', sequence: 4 }]),
    /PO-1: h9 is on po.transitions.v1; the history has no such entry/,
  ],
  [
    'an old state that came last',
    (all) => (all.states = again(all.states, 1)),
    /the last record on po.state.v1 is version 2 in 100; the order is version 4 in 300/,
  ],
  ['a lost state', (all) => (all.states = without(all.states, 2)), /version 3 of 4 is not on po.state.v1/],
  [
    'a version that nobody asked for',
    (all) => {
      Object.assign(at(all.orders, 0), { version: 5 });
      all.states = [...all.states, { ...at(all.states, 3), version: 5 }];
    },
    /no operation explains version 5/,
  ],
  [
    'a doubled notification',
    (all) => all.notifications.push({ ...at(all.notifications, 1), id: 'n2b', seq: 3, read: true }),
    /u-acme of h3 was told 2 times/,
  ],
  ['a lost notification', (all) => (all.notifications = without(all.notifications, 2)), /nobody told u-buyer of h2/],
  [
    'a notification to somebody whom it does not concern',
    (all) => all.notifications.push({ id: 'n4', userId: 'u-bolt', historyId: 'h1', seq: 1, read: true }),
    /u-bolt of h1 was told, who must not be/,
  ],
  [
    'notifications in disorder',
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
    'a notification that was not announced',
    (all) => (all.announced = all.announced.slice(0, 2)),
    /notification n3 .* is not on/,
  ],
  [
    'a notification that is in no mail',
    (all) => Object.assign(at(all.mails, 2), { notificationIds: [] }),
    /notification n3 of u-buyer is in no mail/,
  ],
  [
    'a mail that is said to be sent and never came',
    (all) => (all.accepted = without(all.accepted, 2)),
    /mail m3 of u-buyer: sent; accepted 0 times/,
  ],
  [
    'a mail that still waits',
    (all) => Object.assign(at(all.mails, 2), { outcome: null }),
    /mail m3 of u-buyer: waits; accepted 1 times/,
  ],
  [
    'a mail that was left out although nobody had read it',
    (all) => Object.assign(at(all.notifications, 0), { read: false }),
    /mail m1 of u-acme: read; accepted 0 times/,
  ],
  [
    'a mail that came more often than it was tried',
    (all) => (all.accepted = again(all.accepted, 2)),
    /mail m3 of u-buyer was accepted 2 times in 1 attempts/,
  ],
  [
    'a repetition with another Message-ID',
    (all) => (all.accepted = [...all.accepted, { ...at(all.accepted, 2), messageId: 'other' }]),
    /a mail to buyer@example.com with Message-ID other is of no notifications/,
  ],
  [
    'a mail at another address',
    (all) => (all.accepted = [...without(all.accepted, 2), { ...at(all.accepted, 2), to: ['ana@bolt.example'] }]),
    /mail m3 of u-buyer went to ana@bolt.example/,
  ],
  [
    'a mail with an order that it is not about',
    (all) => (all.accepted = [...without(all.accepted, 2), { ...at(all.accepted, 2), orders: ['PO-1', 'PO-2'] }]),
    /mail m3 of u-buyer shows order PO-2/,
  ],
  [
    'a mail about an order of another vendor',
    (all) => Object.assign(at(all.users, 0), { vendorCode: 'BOLT' }),
    /mail m2 tells u-acme of order PO-1 of ACME/,
  ],
  [
    'a mail that its user did not want at once',
    (all) => (all.announced = all.announced.map((each) => ({ ...each, mail: 'off' }))),
    /mail m3 to u-buyer has notification n3, which is not theirs for now/,
  ],
  [
    "a mail with somebody else's notification",
    (all) => Object.assign(at(all.mails, 2), { notificationIds: ['n3', 'n1'] }),
    /mail m3 to u-buyer has notification n1, which is not theirs/,
  ],
  [
    'a wrong unread count',
    (all) => Object.assign(at(all.shown, 2), { unread: 2 }),
    /gateway 0 shows u-buyer 2 unread notifications; there are 1/,
  ],
  ['a KPI off by one', (all) => (at(all.shown, 0).kpis.new += 1), /gateway 0 shows u-acme 1 new orders; there are 0/],
  [
    'an activity feed in another order',
    (all) => (at(all.shown, 2).activity = ['h2', 'h3']),
    /shows u-buyer the activity h2,h3; the latest is h3,h2/,
  ],
  [
    'a step that the workflow does not have',
    (all) => Object.assign(at(all.history, 2), { actorRole: 'VENDOR' }),
    /APPROVE by VENDOR from 200 to 300 is not in the workflow/,
  ],
  [
    'a gap in a history',
    (all) => Object.assign(at(all.history, 2), { sequence: 4 }),
    /history entry h3: has sequence 4, the 3th in order/,
  ],
  [
    'a history that does not end where its order is',
    (all) => Object.assign(at(all.orders, 0), { statusId: 400 }),
    /PO-1 is in 400; its history ends in 300/,
  ],
  ['poison that vanished', (all) => (all.deadLetters = []), /poison p1 is not on g.dlq.v1/],
  [
    'a dead letter of a good record',
    (all) => (all.deadLetters = [...all.deadLetters, { ...at(all.deadLetters, 0), name: null }]),
    /a dead letter nobody poisoned is on g.dlq.v1/,
  ],
  [
    'a dead letter without its reason',
    (all) => Object.assign(at(all.deadLetters, 0), { reason: '' }),
    /the reason "" does not say/,
  ],
  [
    'a dead letter with other bytes',
    (all) => Object.assign(at(all.deadLetters, 0), { value: Buffer.from('{}') }),
    /poison p1 was changed on its way/,
  ],
];
