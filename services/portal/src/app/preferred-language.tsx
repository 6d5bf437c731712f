import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../api/api.js';
import { useLanguage } from '../language/language.js';

/** The language that the user prefers is the portal's, where none was chosen in this browser. */
export function PreferredLanguage() {
  const { queries } = useApi();
  const { isChosen, prefer } = useLanguage();
  const { data } = useQuery({ ...queries.preferences(), enabled: !isChosen });
  const locale = data?.data.locale;
  useEffect(() => {
    if (locale !== undefined) prefer(locale);
  }, [locale, prefer]);
  return null;
}
