export type Language = 'en' | 'zh';

/** Languages with their own names. */
export const LANGUAGES: readonly [Language, string][] = [
  ['en', 'English'],
  ['zh', '中文'],
];

type Pair = readonly [en: string, zh: string];

/** Texts in both languages by name, optionally nested; functions for texts with parameters. */
export interface Texts {
  readonly [name: string]: Pair | ((...values: never[]) => Pair) | Texts;
}

/** The texts of one language: a string for each pair. */
type InLanguage<T> = {
  readonly [Name in keyof T]: T[Name] extends Pair
    ? string
    : T[Name] extends (...values: infer Values) => Pair
      ? (...values: Values) => string
      : InLanguage<T[Name]>;
};

export type Dictionary<T> = Readonly<Record<Language, InLanguage<T>>>;

const inLanguage = (texts: Texts, at: 0 | 1): unknown =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      if (typeof text === 'function') return [name, (...values: never[]) => text(...values)[at]];
      return [name, text instanceof Array ? text[at] : inLanguage(text as Texts, at)];
    }),
  );

/** The texts of each language. A missing language does not compile. */
export const dictionary = <const T extends Texts>(texts: T): Dictionary<T> =>
  ({ en: inLanguage(texts, 0), zh: inLanguage(texts, 1) }) as Dictionary<T>;

/** Language of a tag such as `zh-CN`; null if unsupported. */
export function languageOf(tag: string | null | undefined): Language | null {
  const [primary] = (tag ?? '').toLowerCase().split(/[-_]/);
  return primary === 'en' || primary === 'zh' ? primary : null;
}

/** The first supported language, in the order: the user's choice, the account, the browser. English if none is supported. */
export const preferredLanguage = (...tags: readonly (string | null | undefined)[]): Language =>
  tags.map(languageOf).find((language) => language !== null) ?? 'en';
