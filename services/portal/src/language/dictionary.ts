export type Language = 'en' | 'zh';

/** Each by its own name. */
export const LANGUAGES: readonly [Language, string][] = [
  ['en', 'English'],
  ['zh', '中文'],
];

/** Texts by name, in groups where there are many; a function where something is put in. */
export interface Texts {
  readonly [name: string]: string | ((...values: never[]) => string) | Texts;
}

/** The same names, with text for text and the same parameters where there are any. */
type Same<T> = {
  readonly [Name in keyof T]: T[Name] extends string
    ? string
    : T[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Same<T[Name]>;
};

export type Dictionary<T> = Readonly<Record<Language, Same<T>>>;

/** Texts in both languages. A name that one of them lacks, or has too many, does not compile. */
export const dictionary = <T extends Texts>(en: T, zh: NoInfer<Same<T>>): Dictionary<T> => ({
  en: en as unknown as Same<T>,
  zh,
});

/** The language of a tag such as `zh-CN`; null for one that is not supported. */
export function languageOf(tag: string | null | undefined): Language | null {
  const [primary] = (tag ?? '').toLowerCase().split(/[-_]/);
  return primary === 'en' || primary === 'zh' ? primary : null;
}

/** The first that is supported, of what was chosen, what the user's account says and what the browser prefers; else English. */
export const preferred = (...tags: readonly (string | null | undefined)[]): Language =>
  tags.map(languageOf).find((language) => language !== null) ?? 'en';
