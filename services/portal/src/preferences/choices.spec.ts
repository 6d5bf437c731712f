import { describe, expect, it } from '@jest/globals';
import { choicesOf, withChoices } from './choices.js';
import { PREFERENCES } from './sample-preferences.js';

describe('withChoices', () => {
  it('replaces the chosen values and keeps the others', () => {
    const chosen = new Map([
      ['locale', 'zh'],
      ['REMINDER', 'off'],
      ['digestAt', '17:30'],
    ]);
    expect(withChoices(PREFERENCES, chosen)).toEqual({
      locale: 'zh',
      timeZone: 'Asia/Shanghai',
      mail: { TRANSITION: 'digest', MESSAGE: 'now', REMINDER: 'off' },
      digestAt: '17:30',
    });
    expect(withChoices(PREFERENCES, new Map())).toEqual(PREFERENCES);
    expect(withChoices(PREFERENCES, choicesOf(PREFERENCES))).toEqual(PREFERENCES);
  });
});
