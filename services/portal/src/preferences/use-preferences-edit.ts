import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.js';
import { KEYS } from '../api/keys.js';
import type { Preferences, Versioned } from '../api/schemas.js';
import { isOutdated } from '../api/writes.js';
import { useLanguage } from '../language/language.js';
import {
  type Fields,
  merge,
  newDraft,
  rebase,
  withoutSaved,
  withTyped,
  withoutPending,
} from '../order/conflict/three-way-merge.js';
import { type Choice, choicesOf, withChoices } from './choices.js';

/** Unsaved choices, based on the preferences that the user saw. */
export function usePreferencesEdit({ version, data }: Versioned<Preferences>) {
  const { writes } = useApi();
  const cache = useQueryClient();
  const { setLanguage, prefer } = useLanguage();
  const present = choicesOf(data);
  const [draft, setDraft] = useState(() => newDraft(version, present));
  const { mine } = draft;
  const saving = useMutation({
    mutationFn: (sent: Fields<string>) => writes.replacePreferences(version, withChoices(data, sent)),
    onSuccess: (saved, sent) => {
      cache.setQueryData(KEYS.preferences, saved);
      setDraft((now) => rebase(now, saved.version, choicesOf(saved.data)));
      if (!sent.has('locale')) return;
      // The saved language replaces an earlier choice in this browser.
      setLanguage(null);
      prefer(saved.data.locale);
    },
    onError: (error) => {
      setDraft((now) => withoutSaved(now, present));
      if (isOutdated(error)) void cache.invalidateQueries({ queryKey: KEYS.preferences });
    },
  });
  return {
    valueOf: (choice: Choice) => mine.get(choice) ?? present.get(choice) ?? '',
    choose: (choice: Choice, value: string) => {
      // Not while a save is pending: the same change could then be saved again, on the version that is being replaced.
      if (!saving.isPending) saving.reset();
      const theirs = withoutPending(present, saving.isPending ? saving.variables : undefined);
      setDraft((now) => withTyped(now.mine.size === 0 ? newDraft(version, present) : now, theirs, choice, value));
    },
    isChanged: mine.size > 0,
    /** Changes from elsewhere since the first choice here. */
    newer: mine.size === 0 ? { changes: [], conflicts: [] } : merge(draft, present),
    /** Continues on the newer preferences. Conflicting choices are kept, or replaced if `takesTheirs`. */
    settle: (takesTheirs: boolean) => setDraft((now) => rebase(now, version, present, () => takesTheirs)),
    discard: () => {
      saving.reset();
      setDraft(newDraft(version, present));
    },
    save: () => saving.mutate(mine),
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    error: isOutdated(saving.error) ? null : saving.error,
  };
}
