import type { Rule, Subject, Verdict } from './rule.js';

export const both = (verdict: Verdict) => ({ 'own vendor': verdict, colleague: verdict });
export const internal = (verdict: Verdict) => ({ BUYER: verdict, ADMIN: verdict, VIEWER: verdict });

/** One order: everybody of ours, and its vendor. */
export const ORDER: Rule['verdicts'] = { ...both('shown'), 'other vendor': 'unknown', ...internal('shown') };
/** Of many orders: the same, and another vendor its own alone. */
export const MANY: Rule['verdicts'] = { ...ORDER, 'other vendor': 'hidden' };
/** What everybody has of their own. */
export const OWN: Rule['verdicts'] = { ...both('hidden'), 'other vendor': 'hidden', ...internal('hidden') };
/** A reply to an order: its vendor alone. */
export const REPLY: Rule['verdicts'] = { ...both('done'), 'other vendor': 'unknown', ...internal('refused') };

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
