import { createSafeContext } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { type Dictionary, type Language, type Texts, languageOf, preferredLanguage } from './dictionary.js';
import { FORMATS, type Formats } from './formats.js';

interface LanguageChoice {
  language: Language;
  /** Sets the language in this browser until the next sign-in; null removes the choice. */
  setLanguage: (language: Language | null) => void;
  isChosen: boolean;
  /** Sets the preferred language, used if none is chosen in this browser. It is stored, to be right from the first paint next time. */
  prefer: (language: Language) => void;
  /** Picks the value in the user's language. */
  localized: <T>(english: T, chinese: T) => T;
}

const KEY = 'po.language';
const HTML_LANG: Record<Language, string> = { en: 'en', zh: 'zh-CN' };
/** Storage key of the language that a user chose in this browser. */
const choiceKey = (user: string): string => `${KEY}:${user}`;
/** Storage key of the preferred language. */
const preferredKey = (key: string): string => `${key}:preferred`;
const [LanguageContext, useLanguage] = createSafeContext<LanguageChoice>('no LanguageProvider above');
export { useLanguage };

/** `user`: the signed-in user and the locale of the account; null if nobody is signed in. */
export function LanguageProvider(props: {
  user: { id: string; locale: string | undefined } | null;
  children: ReactNode;
}) {
  const { user, children } = props;
  const key = user === null ? KEY : choiceKey(user.id);
  const [chosen, choose] = useStoredLanguage(key);
  const [preference, setPreference] = useStoredLanguage(preferredKey(key));
  const language = preferredLanguage(chosen, preference, user?.locale, ...navigator.languages);
  // Runs before the first request, because requests use the language of the page.
  useLayoutEffect(() => {
    document.documentElement.lang = HTML_LANG[language];
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      setLanguage: choose,
      isChosen: chosen !== null,
      prefer: setPreference,
      localized: <T,>(english: T, chinese: T) => (language === 'zh' ? chinese : english),
    }),
    [language, chosen, choose, setPreference],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

/** At sign-in, turns the user's choice into a preference: saved preferences override it, and otherwise it stays the language. */
export function endChoice(user: string): void {
  const key = choiceKey(user);
  const chosen = localStorage.getItem(key);
  if (chosen === null) return;
  localStorage.removeItem(key);
  try {
    localStorage.setItem(preferredKey(key), chosen);
  } catch {
    // If the storage is full, the language of the account applies.
  }
}

function readLanguage(name: string): Language | null {
  try {
    return languageOf(localStorage.getItem(name));
  } catch {
    // Nothing can be stored if the browser forbids storage.
    return null;
  }
}

/** A language stored in this browser under a key, and its setter. */
function useStoredLanguage(name: string): [Language | null, (language: Language | null) => void] {
  // Read only once, because a sign-in in another tab removes the choice.
  const stored = useMemo(() => readLanguage(name), [name]);
  const [changed, setChanged] = useState<{ name: string; language: Language | null } | null>(null);
  const keep = useCallback(
    (language: Language | null) => {
      try {
        if (language === null) localStorage.removeItem(name);
        else localStorage.setItem(name, language);
      } catch {
        // If the storage is full, the language applies to this page only.
      }
      setChanged({ name, language });
    },
    [name],
  );
  // Follows other tabs.
  useWindowEvent('storage', ({ key, newValue }) => {
    const next = key === name ? languageOf(newValue) : null;
    if (next) setChanged({ name, language: next });
  });
  return [changed?.name === name ? changed.language : stored, keep];
}

export function useTexts<T extends Texts>(texts: Dictionary<T>): Dictionary<T>[Language] {
  return texts[useLanguage().language];
}

export function useFormats(): Formats {
  return FORMATS[useLanguage().language];
}
