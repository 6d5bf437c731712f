import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../api/api.js';
import { useLanguage } from '../language/language.js';

/** The language that the user prefers is the portal's, where none was chosen since the sign-in. */
export function PreferredLanguage() {
  const { queries } = useApi();
  const { isChosen, prefer } = useLanguage();
  const { data } = useQuery({ ...queries.preferences(), enabled: !isChosen });
  // Version 0 has the defaults, whose language is a guess where the account has none: the browser knows better.
  const locale = data !== undefined && data.version > 0 ? data.data.locale : undefined;
  useEffect(() => {
    if (locale !== undefined) prefer(locale);
  }, [locale, prefer]);
  return null;
}
