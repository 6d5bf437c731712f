import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Mentioned, completed, labelOf, mentionQueryAt, mentionedIn, partsOf, withChosen } from './mentions.js';

const person = (userId: string, name: string | null = userId): Mentioned => ({ userId, name, isVendor: false });
const LI = person('u-1', 'Li');
const LI_WEI = person('u-2', 'Li Wei');
const OTHER_LI = person('u-3', 'Li');
const idsIn = (text: string, chosen: Mentioned[]) => mentionedIn(text, chosen).map(({ userId }) => userId);

describe('a mention being typed', () => {
  it.each([
    ['@', { from: 0, query: '' }],
    ['Hello @ma', { from: 6, query: 'ma' }],
    ['请@李', { from: 1, query: '李' }],
    ['（@Marta L', { from: 1, query: 'Marta L' }],
    ['write to me@example.com', null],
    ['Hello', null],
    ['@ nobody', null],
    ['@one two three four', null],
    ['@line\nbreak', null],
    ['@Li Wei and so on', null],
  ])('in %j is recognized as %j', (text, expected) => {
    expect(mentionQueryAt(text, text.length, [LI_WEI])).toEqual(expected);
  });

  it('is the one at the caret, even if a later one exists', () => {
    expect(mentionQueryAt('@ma @li', 3, [])).toEqual({ from: 0, query: 'ma' });
    expect(mentionQueryAt('@ma', 0, [])).toBeNull();
  });

  it('is completed with the name, and the caret moves behind it', () => {
    const text = 'Ask @li, please';
    const query = { from: 4, query: 'li' };
    expect(completed(text, query, LI_WEI)).toEqual({ text: 'Ask @Li Wei , please', caret: 12 });
    expect(completed('Ask @li please', query, LI_WEI).text).toBe('Ask @Li Wei please');
    expect(completed('@', { from: 0, query: '' }, person('u-9', null)).text).toBe('@u-9 ');
  });
});

describe('users mentioned in a text', () => {
  it.each([
    ['@Li Wei', [LI, LI_WEI], ['u-2']],
    ['@Li, @Li Wei', [LI, LI_WEI], ['u-1', 'u-2']],
    ['@Lisa', [LI], []],
    ['@Joséphine', [person('u-4', 'José')], []],
    ['@José: yes', [person('u-4', 'José')], ['u-4']],
    ['@Li请看', [LI], ['u-1']],
    ['Li', [LI], []],
    ['@Li @Li', [LI], ['u-1']],
    ['@Li', [LI, OTHER_LI], ['u-1']],
    ['@Li @Li', [LI, OTHER_LI], ['u-1', 'u-3']],
    ['@@Li', [LI], ['u-1']],
  ])('are the chosen users whom %j names after an @', (text, chosen, expected) => {
    expect(idsIn(text, chosen)).toEqual(expected);
  });

  it.each([
    ['@Li ', [LI], OTHER_LI, ['u-3']],
    ['@Li @Li ', [LI], OTHER_LI, ['u-1', 'u-3']],
    ['@Li and @Li Wei ', [LI], LI_WEI, ['u-1', 'u-2']],
    ['@Li @Li ', [LI], LI, ['u-1']],
  ])('in %j include the user chosen last (case %#)', (text, chosen, one, expected) => {
    expect(withChosen(text, chosen, one).map(({ userId }) => userId)).toEqual(expected);
  });

  it('are marked without adding text or leaving any out', () => {
    const words = fc.constantFrom('@', 'Li', 'Li Wei', ' ', '@Li', '请', 'sa', '\n', '@Li Wei');
    fc.assert(
      fc.property(fc.array(words), fc.subarray([LI, LI_WEI, OTHER_LI]), (parts, chosen) => {
        const text = parts.join('');
        const found = partsOf(text, chosen);
        expect(found.map((part) => part.text).join('')).toBe(text);
        for (const { at, text: own, mention } of found) {
          expect(text.slice(at, at + own.length)).toBe(own);
          expect(mention === null || own === `@${labelOf(mention)}`).toBe(true);
        }
      }),
    );
  });
});
