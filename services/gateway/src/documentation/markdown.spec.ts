import { describe, expect, it } from '@jest/globals';
import { block, inLanguage, inline } from './markdown.js';

describe('CommonMark texts', () => {
  it('show HTML as text', () => {
    expect(inline('a <script>alert(1)</script> `<b>`', 'en').text).toBe(
      'a &lt;script&gt;alert(1)&lt;/script&gt; <code>&lt;b&gt;</code>',
    );
    expect(block('<img src=x onerror=alert(1)>', 'en').text).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>\n');
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'vbscript:x', 'data:text/html,x'])(
    'do not link to %s',
    (target) => {
      expect(inline(`[x](${target})`, 'en').text).not.toContain('<a');
    },
  );

  it('keep the language in links to other pages, and leave external links unchanged', () => {
    expect(inline('[x](/docs#y) [z](https://example.com/z)', 'zh').text).toBe(
      '<a href="/docs?lang=zh#y">x</a> <a href="https://example.com/z">z</a>',
    );
    expect(inLanguage('/docs', 'en')).toBe('/docs?lang=en');
  });
});
