import type { Rule, Subject, Verdict } from './rule.js';

export const ownVendorUsers = (verdict: Verdict) => ({ 'own vendor': verdict, colleague: verdict });
export const internalRoles = (verdict: Verdict) => ({ BUYER: verdict, ADMIN: verdict, VIEWER: verdict });

/** One order: visible to all internal roles and to its vendor. */
export const ORDER: Rule['verdicts'] = {
  ...ownVendorUsers('shown'),
  'other vendor': 'unknown',
  ...internalRoles('shown'),
};
/** Many orders: like `ORDER`, but other vendors see only their own orders. */
export const MANY: Rule['verdicts'] = { ...ORDER, 'other vendor': 'hidden' };
/** The caller's own data: every caller sees only their own. */
export const OWN: Rule['verdicts'] = {
  ...ownVendorUsers('hidden'),
  'other vendor': 'hidden',
  ...internalRoles('hidden'),
};
/** A reply to an order: allowed only for its vendor. */
export const REPLY: Rule['verdicts'] = {
  ...ownVendorUsers('done'),
  'other vendor': 'unknown',
  ...internalRoles('refused'),
};

export const read = (
  path: (subject: Subject) => string,
  verdicts: Rule['verdicts'],
  more: Partial<Rule> = {},
): Rule => ({
  part: '',
  state: 'Pending Approval',
  verdicts,
  ...more,
  request: (subject) => ({ path: path(subject) }),
});

export const lengthOf = (list: unknown[]): number => list.length;
