import { type ReactNode, createContext, use, useLayoutEffect, useMemo, useState } from 'react';
import { type Dictionary, type Language, type Texts, preferred } from './dictionary.js';
import { FORMATS, type Formats } from './formats.js';

interface LanguageChoice {
  language: Language;
  setLanguage: (language: Language) => void;
  /** The user's one of two that the API gives. */
  localized: <T>(english: T, chinese: T) => T;
}

const KEY = 'po.language';
const HTML_LANG: Record<Language, string> = { en: 'en', zh: 'zh-CN' };
const LanguageContext = createContext<LanguageChoice | null>(null);

/** `user`: whose choice is kept, and what the account says; null while nobody is signed in. */
export function LanguageProvider({
  user,
  children,
}: {
  user: { id: string; locale: string | undefined } | null;
  children: ReactNode;
}) {
  // Each user of this browser has a choice of their own.
  const key = user === null ? KEY : `${KEY}:${user.id}`;
  const [chosen, setChosen] = useState<{ key: string; language: Language } | null>(null);
  const kept = chosen?.key === key ? chosen.language : localStorage.getItem(key);
  const language = preferred(kept, user?.locale, ...navigator.languages);
  // Before anything that is shown is asked for: requests are made in the language of the page.
  useLayoutEffect(() => {
    document.documentElement.lang = HTML_LANG[language];
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      setLanguage: (next: Language) => {
        localStorage.setItem(key, next);
        setChosen({ key, language: next });
      },
      localized: <T,>(english: T, chinese: T) => (language === 'zh' ? chinese : english),
    }),
    [key, language],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext);
  if (!choice) throw new Error('no LanguageProvider above');
  return choice;
}

/** The texts of a dictionary in the user's language. */
export function useTexts<T extends Texts>(texts: Dictionary<T>): Dictionary<T>[Language] {
  return texts[useLanguage().language];
}

export function useFormats(): Formats {
  return FORMATS[useLanguage().language];
}
