import type { RequestSpec, Rule, Rules, State, Subject, Verdict } from './rule.js';
import { ORDER, REPLY, ownVendorUsers, read, rule } from './verdicts.js';

/** Roles that may execute each action. Deliberately repeats the workflow, so that the tests check it independently. */
const ACTIONS: readonly (readonly [action: string, state: State, roles: readonly ('VENDOR' | 'BUYER' | 'ADMIN')[]])[] =
  [
    ['SUBMIT', 'New', ['VENDOR']],
    ['APPROVE', 'Pending Approval', ['BUYER', 'ADMIN']],
    ['REJECT', 'Pending Approval', ['BUYER', 'ADMIN']],
    ['RECALL', 'Confirmed', ['VENDOR', 'BUYER', 'ADMIN']],
    ['MOVE_TO_PRODUCTION', 'Confirmed', ['VENDOR', 'BUYER', 'ADMIN']],
    ['MARK_SHIPPED', 'In Production', ['VENDOR', 'ADMIN']],
    ['CONFIRM_DELIVERY', 'Shipped', ['BUYER', 'ADMIN']],
    ['CANCEL', 'Pending Approval', ['BUYER', 'ADMIN']],
  ];

const transitions = (
  actions: typeof ACTIONS,
  request: (subject: Subject, action: string) => RequestSpec,
  more: Partial<Rule> = {},
): Rule[] =>
  actions.map(([action, state, roles]) => {
    const may = (role: 'VENDOR' | 'BUYER' | 'ADMIN'): Verdict => (roles.includes(role) ? 'done' : 'refused');
    const ours = { BUYER: may('BUYER'), ADMIN: may('ADMIN'), VIEWER: 'refused' } as const;
    return {
      part: action,
      state,
      ...more,
      request: (subject: Subject) => request(subject, action),
      verdicts: { ...ownVendorUsers(may('VENDOR')), 'other vendor': 'unknown', ...ours },
    };
  });

const order = '/purchase-orders';
const NEW = { state: 'New' } as const;

const replies = ({ poRef, rowHash }: Subject, query: string): RequestSpec => ({
  path: `${order}/${poRef}/line-items/import${query}`,
  headers: { 'content-type': 'text/csv' },
  body: `Row ID,Reply Qty\r\n${rowHash},7\r\n`,
});

/** Rules for reading and changing one order. */
export const ORDERS: Rules = {
  getPurchaseOrder: [
    read(({ poRef }) => `${order}/${poRef}`, ORDER),
    read(({ poRef }) => `${order}/${poRef}?include=lineItems`, ORDER, { part: 'with its lines' }),
  ],
  updatePurchaseOrder: [
    rule(
      ({ poRef }) => ({ path: `${order}/${poRef}`, body: { vendor_reply_comment: 'three days later' } }),
      REPLY,
      NEW,
    ),
  ],
  listLineItems: [read(({ poRef }) => `${order}/${poRef}/line-items`, ORDER)],
  updateLineItems: [
    rule(
      ({ poRef, rowHash }) => ({
        path: `${order}/${poRef}/line-items`,
        body: { lines: [{ rowHash, vendorReplyQty: 7 }] },
      }),
      REPLY,
      NEW,
    ),
  ],
  importLineItems: [
    rule((subject) => replies(subject, ''), REPLY, NEW),
    rule(
      (subject) => replies(subject, '?dryRun=true'),
      { ...REPLY, ...ownVendorUsers('shown') },
      { ...NEW, part: 'a dry run' },
    ),
  ],
  executeTransition: transitions(ACTIONS, ({ poRef }, action) => ({
    path: `${order}/${poRef}/transition`,
    body: { action },
  })),
  // Each item of the batch follows the rules of the single request.
  executeTransitions: transitions(
    ACTIONS.filter(([action]) => ['SUBMIT', 'APPROVE', 'MARK_SHIPPED'].includes(action)),
    ({ poRef }, action) => ({ path: `${order}/transitions`, body: { items: [{ poRef, action }] } }),
    { isBatchItem: true },
  ),
  getDiff: [read(({ poRef }) => `${order}/${poRef}/diff`, ORDER)],
  getHistory: [read(({ poRef }) => `${order}/${poRef}/history`, ORDER)],
};
