import { NO_DIFFERENCE } from '@po/testing/tolerances';
import type { Rule, Rules, Subject } from './rule.js';
import { BY_ADMIN, everyone, internalRoles, read, rule } from './verdicts.js';

/** Vendors may learn neither the limits nor whether a policy exists. */
const INTERNAL: Rule['verdicts'] = { ...everyone('refused'), ...internalRoles('shown') };

/** A disabled policy, which approves nothing. */
export const TEST_POLICY = {
  ...NO_DIFFERENCE,
  enabled: false,
  maxDaysLater: 7,
  maxQtyDecreasePercent: 2.5,
  maxPriceDecreasePercent: 100,
};

const pathOf = ({ policy }: Subject) => `/approval-policies/${policy}`;
// The answers contain no data of orders.
const beside: Partial<Rule> = { leavesOrdersUnchanged: true, isCountOnly: true };
const change = (request: Rule['request']) => rule(request, BY_ADMIN, beside);

/** Rules for the policies of automatic approval. */
export const POLICIES: Rules = {
  listApprovalPolicies: [read(() => '/approval-policies', INTERNAL, beside)],
  replaceApprovalPolicy: [change((subject) => ({ path: pathOf(subject), body: TEST_POLICY }))],
  deleteApprovalPolicy: [change((subject) => ({ path: pathOf(subject) }))],
  getApprovalPolicyHistory: [read((subject) => `${pathOf(subject)}/history`, INTERNAL, beside)],
  previewApprovalPolicy: [change((subject) => ({ path: `${pathOf(subject)}/preview`, body: TEST_POLICY }))],
};
