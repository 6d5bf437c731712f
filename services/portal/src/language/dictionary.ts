export type Language = 'en' | 'zh';

/** Languages with their own names. */
export const LANGUAGES: readonly [Language, string][] = [
  ['en', 'English'],
  ['zh', '中文'],
];

/** Texts by name, optionally nested; functions for texts with parameters. */
export interface Texts {
  readonly [name: string]: string | ((...values: never[]) => string) | Texts;
}

/** The same names, with a string for each string, and the same parameters for each function. */
type Same<T> = {
  readonly [Name in keyof T]: T[Name] extends string
    ? string
    : T[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Same<T[Name]>;
};

export type Dictionary<T> = Readonly<Record<Language, Same<T>>>;

/** Texts in both languages. A missing or extra name does not compile. */
export const dictionary = <T extends Texts>(en: T, zh: NoInfer<Same<T>>): Dictionary<T> => ({
  en: en as unknown as Same<T>,
  zh,
});

/** Language of a tag such as `zh-CN`; null if unsupported. */
export function languageOf(tag: string | null | undefined): Language | null {
  const [primary] = (tag ?? '').toLowerCase().split(/[-_]/);
  return primary === 'en' || primary === 'zh' ? primary : null;
}

/** The first supported language, in the order: the user's choice, the account, the browser. English if none is supported. */
export const preferredLanguage = (...tags: readonly (string | null | undefined)[]): Language =>
  tags.map(languageOf).find((language) => language !== null) ?? 'en';
