import { describe, expect, it } from '@jest/globals';
import { screenshot } from '../screenshots.js';
import { portalTests } from '../visitors.js';

/** A character that no font has. */
const MISSING = '\u{10ffff}';
const CHINESE = ['待', '审', '批'];
const LATIN = 'In Production';

describe('the test browser', () => {
  const { visitors } = portalTests();

  it('has a Chinese font (if this fails: apt-get install fonts-noto-cjk, or PO_BROWSER=fetched)', async () => {
    const { page } = await visitors.visit();
    await page.setContent(`<h1 style="font-family: sans-serif">${CHINESE.join('')} ${LATIN}</h1>`);
    await screenshot(page, 'fonts-1440');
    const pictures = await page.evaluate(
      (characters) =>
        characters.map((character) => {
          const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
          const pen = canvas.getContext('2d');
          if (pen) pen.font = '40px sans-serif';
          pen?.fillText(character, 4, 48);
          return canvas.toDataURL();
        }),
      [...CHINESE, MISSING],
    );
    // Without a font all characters give the same picture: a box or nothing.
    expect(new Set(pictures).size).toBe(CHINESE.length + 1);
    // Firefox's boxes have numbers in them, but all have the same width.
    const widths = await page.evaluate(
      (texts) => {
        const pen = document.createElement('canvas').getContext('2d');
        if (pen) pen.font = '40px sans-serif';
        return texts.map((text) => pen?.measureText(text).width ?? 0);
      },
      [...CHINESE, 'W', 'i'],
    );
    expect(widths.slice(0, -2)).toEqual(CHINESE.map(() => 40));
    expect(widths.at(-2)).toBeGreaterThan(2 * (widths.at(-1) ?? 0));
  });
});
