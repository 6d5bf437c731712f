import { NO_DIFFERENCE } from '@po/testing/tolerances';
import type { Rule, Rules, Subject } from './rule.js';
import { both, internal, read } from './verdicts.js';

/** Vendors may learn neither the limits nor whether a policy exists. */
const INTERNAL: Rule['verdicts'] = { ...both('refused'), 'other vendor': 'refused', ...internal('shown') };
const ADMINS: Rule['verdicts'] = { ...INTERNAL, ...internal('refused'), ADMIN: 'done' };

/** A disabled policy, which approves nothing. */
export const POLICY_OF_TESTS = {
  ...NO_DIFFERENCE,
  enabled: false,
  maxDaysLater: 7,
  maxQtyDecreasePercent: 2.5,
  maxPriceDecreasePercent: 100,
};

const pathOf = ({ policy }: Subject) => `/approval-policies/${policy}`;
// The answers contain no data of orders.
const beside: Partial<Rule> = { isBesideOrders: true, isNumber: true };
const change = (request: Rule['request']): Rule => ({
  part: '',
  state: 'Pending Approval',
  ...beside,
  verdicts: ADMINS,
  request,
});

/** Rules for the policies of automatic approval. */
export const POLICIES: Rules = {
  listApprovalPolicies: [read(() => '/approval-policies', INTERNAL, beside)],
  replaceApprovalPolicy: [change((subject) => ({ path: pathOf(subject), body: POLICY_OF_TESTS }))],
  deleteApprovalPolicy: [change((subject) => ({ path: pathOf(subject) }))],
  getApprovalPolicyHistory: [read((subject) => `${pathOf(subject)}/history`, INTERNAL, beside)],
  previewApprovalPolicy: [change((subject) => ({ path: `${pathOf(subject)}/preview`, body: POLICY_OF_TESTS }))],
};
