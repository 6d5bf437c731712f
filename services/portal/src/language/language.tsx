import { createSafeContext } from '@mantine/core';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { type Dictionary, type Language, type Texts, languageOf, preferred } from './dictionary.js';
import { FORMATS, type Formats } from './formats.js';

interface LanguageChoice {
  language: Language;
  /** Chosen in this browser, until the next sign-in; null gives that up. */
  setLanguage: (language: Language | null) => void;
  isChosen: boolean;
  /** The user's language where none is chosen in this browser; kept, for it to be right from the first paint next time. */
  prefer: (language: Language) => void;
  /** The user's one of two that the API gives. */
  localized: <T>(english: T, chinese: T) => T;
}

const KEY = 'po.language';
const HTML_LANG: Record<Language, string> = { en: 'en', zh: 'zh-CN' };
/** Each user of this browser has a choice of their own. */
const chosenBy = (user: string): string => `${KEY}:${user}`;
/** What is kept as the preferred one, beside what is chosen. */
const preferredBeside = (key: string): string => `${key}:preferred`;
const [LanguageContext, useLanguage] = createSafeContext<LanguageChoice>('no LanguageProvider above');
export { useLanguage };

/** `user`: whose choice is kept, and what the account says; null while nobody is signed in. */
export function LanguageProvider(props: {
  user: { id: string; locale: string | undefined } | null;
  children: ReactNode;
}) {
  const { user, children } = props;
  const key = user === null ? KEY : chosenBy(user.id);
  const [chosen, choose] = useKept(key);
  const [liked, like] = useKept(preferredBeside(key));
  const language = preferred(chosen, liked, user?.locale, ...navigator.languages);
  // Before anything that is shown is asked for: requests are made in the language of the page.
  useLayoutEffect(() => {
    document.documentElement.lang = HTML_LANG[language];
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      setLanguage: choose,
      isChosen: chosen !== null,
      prefer: like,
      localized: <T,>(english: T, chinese: T) => (language === 'zh' ? chinese : english),
    }),
    [language, chosen, choose, like],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

/** At sign-in: what this user chose gives way to what the preferences say, and stays the language where they say nothing. */
export function endChoice(user: string): void {
  const key = chosenBy(user);
  const chosen = localStorage.getItem(key);
  if (chosen === null) return;
  localStorage.removeItem(key);
  try {
    localStorage.setItem(preferredBeside(key), chosen);
  } catch {
    // Without room for it, the account's is the language.
  }
}

/** A language that this browser keeps under a name, and what changes it. */
function useKept(name: string): [Language | null, (language: Language | null) => void] {
  const [changed, setChanged] = useState<{ name: string; language: Language | null } | null>(null);
  const keep = useCallback(
    (language: Language | null) => {
      try {
        if (language === null) localStorage.removeItem(name);
        else localStorage.setItem(name, language);
      } catch {
        // Without room for it, it is the language of this page.
      }
      setChanged({ name, language });
    },
    [name],
  );
  return [changed?.name === name ? changed.language : languageOf(localStorage.getItem(name)), keep];
}

export function useTexts<T extends Texts>(texts: Dictionary<T>): Dictionary<T>[Language] {
  return texts[useLanguage().language];
}

export function useFormats(): Formats {
  return FORMATS[useLanguage().language];
}
