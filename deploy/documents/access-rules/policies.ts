import { NO_DIFFERENCE } from '@po/testing/tolerances';
import type { Rule, Rules, Subject } from './rule.js';
import { both, internal, read } from './verdicts.js';

/** A vendor learns neither a limit nor whether there is one. */
const INTERNAL: Rule['verdicts'] = { ...both('refused'), 'other vendor': 'refused', ...internal('shown') };
const ADMINS: Rule['verdicts'] = { ...INTERNAL, ...internal('refused'), ADMIN: 'done' };

/** A policy that approves nothing. */
export const POLICY_OF_TESTS = {
  ...NO_DIFFERENCE,
  enabled: false,
  maxDaysLater: 7,
  maxQtyDecreasePercent: 2.5,
  maxPriceDecreasePercent: 100,
};

const pathOf = ({ policy }: Subject) => `/approval-policies/${policy}`;
// What they tell is of no order.
const beside: Partial<Rule> = { isBesideOrders: true, isNumber: true };
const change = (request: Rule['request']): Rule => ({
  part: '',
  state: 'Pending Approval',
  ...beside,
  verdicts: ADMINS,
  request,
});

/** What is approved without a person. */
export const POLICIES: Rules = {
  listApprovalPolicies: [read(() => '/approval-policies', INTERNAL, beside)],
  replaceApprovalPolicy: [change((subject) => ({ path: pathOf(subject), body: POLICY_OF_TESTS }))],
  deleteApprovalPolicy: [change((subject) => ({ path: pathOf(subject) }))],
  getApprovalPolicyHistory: [read((subject) => `${pathOf(subject)}/history`, INTERNAL, beside)],
  previewApprovalPolicy: [change((subject) => ({ path: `${pathOf(subject)}/preview`, body: POLICY_OF_TESTS }))],
};
