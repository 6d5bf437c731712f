import { describe, expect, it } from '@jest/globals';
import { languageOf, preferred } from './dictionary.js';

describe('the language', () => {
  it.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['zh-Hans-CN', 'zh'],
    ['ZH_tw', 'zh'],
    ['fr', null],
    ['english', null],
    ['', null],
    [null, null],
  ])('of %s is %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });

  it('is the first that is supported', () => {
    expect(preferred(null, 'fr', 'zh-CN', 'en')).toBe('zh');
    expect(preferred(null, 'fr')).toBe('en');
  });
});
