import type { PolicyChange, Tolerances } from '../api/approval-policies.js';
import { merge, newDraft } from '../order/conflict/three-way-merge.js';
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

/** Changed values in the order of the form; all values if there was no policy. */
const differencesOf = (policy: Tolerances, before: Tolerances | null): Difference[] =>
  merge(newDraft(before === null ? new Map() : fieldsOf(before)), fieldsOf(policy)).changes.map(
    ({ field, from, to = '' }) => ({ field: field as PolicyField, from, to }),
  );

/** Steps of a policy's history. `changes` must be sorted newest first, as the API returns them. */
export const stepsOf = (changes: readonly PolicyChange[]): Step[] =>
  changes.map(({ version, policy, changedBy, changedAt }, at) => {
    const before = changes[at + 1]?.policy ?? null;
    return {
      version,
      changedBy,
      changedAt,
      kind: policy === null ? 'deleted' : before === null ? 'created' : 'changed',
      differences: policy === null ? [] : differencesOf(policy, before),
    };
  });
