import { describe, expect, it } from '@jest/globals';
import { block, inLanguage, inline } from './markdown.js';

describe('texts in CommonMark', () => {
  it('show HTML as it stands', () => {
    expect(inline('a <script>alert(1)</script> `<b>`', 'en').text).toBe(
      'a &lt;script&gt;alert(1)&lt;/script&gt; <code>&lt;b&gt;</code>',
    );
    expect(block('<img src=x onerror=alert(1)>', 'en').text).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>\n');
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'vbscript:x', 'data:text/html,x'])(
    'have no link to %s',
    (target) => {
      expect(inline(`[x](${target})`, 'en').text).not.toContain('<a');
    },
  );

  it('stay in their language where they lead to other pages, and leave the rest as it is', () => {
    expect(inline('[x](/docs#y) [z](https://example.com/z)', 'zh').text).toBe(
      '<a href="/docs?lang=zh#y">x</a> <a href="https://example.com/z">z</a>',
    );
    expect(inLanguage('/docs', 'en')).toBe('/docs?lang=en');
  });
});
