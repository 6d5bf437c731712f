import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '@po/testing/any-character';
import { Markup, html } from './html.js';

const READ: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const read = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => READ[name] ?? '');

const texts = fc
  .array(fc.oneof(fc.constantFrom('&', '<', '>', '"', "'", '&lt;', '</p>'), fc.string({ unit: anyCharacter })))
  .map((parts) => parts.join(''));

describe('html', () => {
  it('escapes text in elements and attributes, and loses none of it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [, inAttribute = '', inElement = ''] =
          /^<p title="([^"<>']*)">([^"<>']*)<\/p>$/s.exec(html`<p title="${text}">${text}</p>`.text) ?? [];
        expect([read(inAttribute), read(inElement)]).toEqual([text, text]);
      }),
    );
  });

  it('inserts markup and numbers unchanged, joins lists, and omits null', () => {
    const parts = ['a<b', 7, null, new Markup('<i>c</i>')].map((part) => html`<b>${part}</b>`);
    expect(html`<p>${parts}</p>`.text).toBe('<p><b>a&lt;b</b><b>7</b><b></b><b><i>c</i></b></p>');
  });
});
