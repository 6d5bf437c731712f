import type { Rule, Subject, Verdict } from './rule.js';

export const ownVendorUsers = (verdict: Verdict) => ({ 'own vendor': verdict, colleague: verdict });
export const internalRoles = (verdict: Verdict) => ({ BUYER: verdict, ADMIN: verdict, VIEWER: verdict });
export const everyone = (verdict: Verdict): Rule['verdicts'] => ({
  ...ownVendorUsers(verdict),
  'other vendor': verdict,
  ...internalRoles(verdict),
});

/** One order: visible to all internal roles and to its vendor. */
export const ORDER: Rule['verdicts'] = { ...everyone('shown'), 'other vendor': 'unknown' };
/** Many orders: like `ORDER`, but other vendors see only their own orders. */
export const MANY: Rule['verdicts'] = { ...ORDER, 'other vendor': 'hidden' };
/** The caller's own data: every caller sees only their own. */
export const OWN = everyone('hidden');
/** A reply to an order: allowed only for its vendor. */
export const REPLY: Rule['verdicts'] = { ...everyone('refused'), ...ownVendorUsers('done'), 'other vendor': 'unknown' };
/** A write that only administrators may make. */
export const BY_ADMIN: Rule['verdicts'] = { ...everyone('refused'), ADMIN: 'done' };

export const rule = (request: Rule['request'], verdicts: Rule['verdicts'], more: Partial<Rule> = {}): Rule => ({
  part: '',
  state: 'Pending Approval',
  verdicts,
  request,
  ...more,
});

/** A rule for a request without headers and body. */
export const read = (path: (subject: Subject) => string, verdicts: Rule['verdicts'], more?: Partial<Rule>): Rule =>
  rule((subject) => ({ path: path(subject) }), verdicts, more);

export const lengthOf = (list: unknown[]): number => list.length;
