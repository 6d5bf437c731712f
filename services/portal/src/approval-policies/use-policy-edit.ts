import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApprovalPolicy, POLICY_KEYS, type Tolerances, nameOf, policyBody } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { isOutdated, onVersion } from '../api/writes.js';
import { useFormDraft } from '../order/conflict/use-form-draft.js';
import { NEW_POLICY, type PolicyField, fieldsOf } from './policy-fields.js';
import { readForm } from './read-form.js';

/** Unsaved edits of a policy. `present`: the current policy; undefined if there is none. */
export function usePolicyEdit(present: ApprovalPolicy | undefined, saved: (policy: ApprovalPolicy) => void) {
  const { client } = useApi();
  const cache = useQueryClient();
  const version = present?.version ?? 0;
  // If the policy is deleted during the edit, the form keeps its last values.
  const [last, setLast] = useState(present);
  if (present !== undefined && present !== last) setLast(present);
  const isDeleted = present === undefined && last !== undefined;
  const values = fieldsOf(present ?? last ?? NEW_POLICY);
  const draft = useFormDraft(version, values, undefined);
  const saving = useMutation({
    // Version 0: the policy does not exist yet.
    mutationFn: ({ name, tolerances }: { name: string; tolerances: Tolerances }) =>
      client.PUT('/approval-policies/{name}', {
        params: { path: { name } },
        headers: onVersion(version),
        body: policyBody(name, tolerances),
      }),
    onSuccess: async ({ data: policy }) => {
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
  return {
    ...draft,
    type: (field: PolicyField, value: string) => {
      // During a save, the same change could otherwise be saved again, on the version that is being replaced.
      if (!saving.isPending) saving.reset();
      draft.type(field, value);
    },
    form: readForm(new Map([...values, ...draft.mine])),
    isNew: present === undefined,
    /** What others did since typing began; null if nothing. */
    newer: isDeleted ? ('deleted' as const) : draft.newer.changes.length > 0 ? ('changed' as const) : null,
    /** The stored policy; undefined if there is none. */
    present,
    save: (name: string, tolerances: Tolerances) => saving.mutate({ name, tolerances }),
    isSaving: saving.isPending,
    error: isOutdated(saving.error) ? null : saving.error,
  };
}

export type PolicyEdit = ReturnType<typeof usePolicyEdit>;
