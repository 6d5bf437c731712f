import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApprovalPolicy, POLICY_KEYS, type Tolerances, nameOf, policyWritesOf } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { isOutdated } from '../api/writes.js';
import { merge, newDraft, rebase, withTyped } from '../order/conflict/three-way-merge.js';
import { NEW_POLICY, type PolicyField, fieldsOf } from './policy-fields.js';
import { differencesOf } from './policy-steps.js';
import { readForm } from './read-form.js';

/** Unsaved edits of a policy. `present`: the current policy; undefined if there is none. */
export function usePolicyEdit(present: ApprovalPolicy | undefined, saved: (policy: ApprovalPolicy) => void) {
  const { client } = useApi();
  const cache = useQueryClient();
  const version = present?.version ?? 0;
  const [draft, setDraft] = useState(() => newDraft(version, fieldsOf(present ?? NEW_POLICY)));
  const { mine, base } = draft;
  // If the policy was deleted during the edit, keeps its previous values.
  const values = present === undefined ? base : fieldsOf(present);
  const saving = useMutation({
    mutationFn: ({ name, tolerances }: { name: string; tolerances: Tolerances }) =>
      policyWritesOf(client).replace(name, version, tolerances),
    onSuccess: async (policy) => {
      cache.setQueryData<ApprovalPolicy[]>(POLICY_KEYS.list, (list) =>
        list?.map((one) => (nameOf(one) === nameOf(policy) ? policy : one)),
      );
      saved(policy);
      await cache.invalidateQueries({ queryKey: POLICY_KEYS.all });
    },
    onError: (error) => {
      if (isOutdated(error)) void cache.invalidateQueries({ queryKey: POLICY_KEYS.all });
    },
  });
  const now = new Map([...values, ...mine]);
  const isNewer = mine.size > 0 && draft.version !== version;
  return {
    valueOf: (field: PolicyField) => now.get(field) ?? '',
    type: (field: PolicyField, value: string) => {
      if (!saving.isPending) saving.reset();
      setDraft((was) => withTyped(was.mine.size === 0 ? newDraft(version, values) : was, values, field, value));
    },
    form: readForm(now),
    isChanged: mine.size > 0,
    isNew: present === undefined,
    /** Changes that others saved since the edit began; null if there are none. */
    newer: isNewer
      ? {
          differences: present === undefined ? [] : differencesOf(readForm(base).tolerances, present),
          isDeleted: present === undefined,
          isInTheWay: merge(draft, values).conflicts.length > 0,
        }
      : null,
    /** Continues on the newer policy. Conflicting values are kept, or replaced if `takesTheirs`. */
    settle: (takesTheirs: boolean) => setDraft((was) => rebase(was, version, values, () => takesTheirs)),
    save: (name: string, tolerances: Tolerances) => saving.mutate({ name, tolerances }),
    isSaving: saving.isPending,
    error: isOutdated(saving.error) ? null : saving.error,
  };
}

export type PolicyEdit = ReturnType<typeof usePolicyEdit>;
