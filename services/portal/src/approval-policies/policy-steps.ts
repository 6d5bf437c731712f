import type { PolicyChange, Tolerances } from '../api/approval-policies.js';
import { merge, newDraft } from '../order/conflict/three-way-merge.js';
import { type PolicyField, fieldsOf } from './policy-fields.js';

/** One value that changed; `from` is undefined where there was no policy. */
export interface Difference {
  field: PolicyField;
  from: string | undefined;
  to: string;
}

/** One version of a policy, as a change of the one before. */
export interface Step extends Pick<PolicyChange, 'version' | 'changedBy' | 'changedAt'> {
  kind: 'created' | 'changed' | 'deleted';
  differences: Difference[];
}

/** What became of a policy, in the order of the form. */
export function differencesOf(from: Tolerances | null, to: Tolerances): Difference[] {
  const before = from === null ? new Map<string, string>() : fieldsOf(from);
  return merge(newDraft(0, before), fieldsOf(to)).changes.map((change) => ({
    field: change.field as PolicyField,
    from: change.from,
    to: change.to ?? '',
  }));
}

/** The history of a policy, newest first as it comes. */
export const stepsOf = (changes: readonly PolicyChange[]): Step[] =>
  changes.map(({ version, policy, changedBy, changedAt }, at) => {
    const before = changes[at + 1]?.policy ?? null;
    return {
      version,
      changedBy,
      changedAt,
      kind: policy === null ? 'deleted' : before === null ? 'created' : 'changed',
      differences: policy === null ? [] : differencesOf(before, policy),
    };
  });
