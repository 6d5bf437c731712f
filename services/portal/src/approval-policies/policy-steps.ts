import type { PolicyChange, Tolerances } from '../api/approval-policies.js';
import { type Merge, merge, newDraft } from '../order/conflict/three-way-merge.js';
import { type PolicyField, fieldsOf } from './policy-fields.js';

/** A changed value; `from` is undefined if there was no policy. */
export interface Difference {
  field: PolicyField;
  from: string | undefined;
  to: string;
}

/** A version of a policy and its differences from the previous version. */
export interface Step extends Pick<PolicyChange, 'version' | 'changedBy' | 'changedAt'> {
  kind: 'created' | 'changed' | 'deleted';
  differences: Difference[];
}

export const differencesOf = (changes: Merge<string>['changes']): Difference[] =>
  changes.map(({ field, from, to = '' }) => ({ field: field as PolicyField, from, to }));

/** Changed values in the order of the form; all values if there was no policy. */
const changesTo = (policy: Tolerances, before: Tolerances | null): Merge<string>['changes'] =>
  merge(newDraft(before === null ? new Map() : fieldsOf(before)), fieldsOf(policy)).changes;

/** Steps of a policy's history. `changes` must be sorted newest first, as the API returns them. */
export const stepsOf = (changes: readonly PolicyChange[]): Step[] =>
  changes.map(({ version, policy, changedBy, changedAt }, at) => {
    const before = changes[at + 1]?.policy ?? null;
    return {
      version,
      changedBy,
      changedAt,
      kind: policy === null ? 'deleted' : before === null ? 'created' : 'changed',
      differences: policy === null ? [] : differencesOf(changesTo(policy, before)),
    };
  });
