import type { Language } from './dictionary.js';

/** Each by its own name. */
export const LANGUAGES: readonly [Language, string][] = [
  ['en', 'English'],
  ['zh', '中文'],
];
