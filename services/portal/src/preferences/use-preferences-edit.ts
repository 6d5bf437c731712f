import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { KEYS } from '../api/keys.js';
import type { Preferences, Versioned } from '../api/schemas.js';
import { isOutdated } from '../api/writes.js';
import { useLanguage } from '../language/language.js';
import { useFormDraft } from '../order/conflict/use-form-draft.js';
import type { Fields } from '../order/conflict/three-way-merge.js';
import { type Choice, choicesOf, withChoices } from './choices.js';

/** Unsaved choices, based on the preferences that the user saw. */
export function usePreferencesEdit({ version, data }: Versioned<Preferences>) {
  const { writes } = useApi();
  const cache = useQueryClient();
  const { setLanguage, prefer } = useLanguage();
  const saving = useMutation({
    mutationFn: (sent: Fields<string>) => writes.replacePreferences(version, withChoices(data, sent)),
    onSuccess: (saved, sent) => {
      cache.setQueryData(KEYS.preferences, saved);
      draft.saved(choicesOf(saved.data));
      if (!sent.has('locale')) return;
      // The saved language replaces an earlier choice in this browser.
      setLanguage(null);
      prefer(saved.data.locale);
    },
    onError: (error) => {
      if (isOutdated(error)) void cache.invalidateQueries({ queryKey: KEYS.preferences });
    },
  });
  const draft = useFormDraft(version, choicesOf(data), saving.isPending ? saving.variables : undefined);
  return {
    ...draft,
    choose: (choice: Choice, value: string) => {
      // During a save, the same change could otherwise be saved again, on the version that is being replaced.
      if (!saving.isPending) saving.reset();
      draft.type(choice, value);
    },
    discard: () => {
      saving.reset();
      draft.discard();
    },
    save: () => saving.mutate(draft.mine),
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    error: isOutdated(saving.error) ? null : saving.error,
  };
}
