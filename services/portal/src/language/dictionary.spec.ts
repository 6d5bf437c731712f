import { describe, expect, it } from '@jest/globals';
import { languageOf, preferredLanguage } from './dictionary.js';

describe('choosing a language', () => {
  it.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['zh-Hans-CN', 'zh'],
    ['ZH_tw', 'zh'],
    ['fr', null],
    ['english', null],
    ['', null],
    [null, null],
  ])('maps the tag %s to %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });

  it('picks the first supported language, and otherwise English', () => {
    expect(preferredLanguage(null, 'fr', 'zh-CN', 'en')).toBe('zh');
    expect(preferredLanguage(null, 'fr')).toBe('en');
  });
});
