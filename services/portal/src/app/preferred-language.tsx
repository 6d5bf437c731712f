import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../api/api.js';
import { useLanguage } from '../language/language.js';

/** Applies the user's preferred language, unless a language was chosen since sign-in. */
export function PreferredLanguage() {
  const { queries } = useApi();
  const { isChosen, prefer } = useLanguage();
  const { data } = useQuery({ ...queries.preferences(), enabled: !isChosen });
  // Version 0 means default preferences. Their language is a guess if the account has none; the browser's language is a better guess.
  const locale = data !== undefined && data.version > 0 ? data.data.locale : undefined;
  useEffect(() => {
    if (locale !== undefined) prefer(locale);
  }, [locale, prefer]);
  return null;
}
