import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { composeMail } from '@po/mail/dist/content/compose.js';
import { html } from '@po/mail/dist/content/html.js';
import type { Page } from 'playwright-core';
import { REPOSITORY } from '../../../deploy/local/repository.js';
import { accessibilityViolations } from '../accessibility.js';
import { DAY, REJECTION } from './mail-samples.js';
import { screenshot, takeScreenshot } from '../screenshots.js';
import { browserTests } from '../visitors.js';

const MAX_HTML_BYTES = 60_000;
/** Limits for pictures in the repository, which every clone downloads. */
const MAX_BYTES = 60_000;
const MAX_BYTES_OF_ALL = 600_000;
/** Folder of the pictures that the portal shows, from which its build takes them. */
const PREVIEWS = 'services/portal/src/preferences';
const PICTURES = 'services/mail/pictures';

const MAILS = ['order', 'digest'] as const;
const CASES = MAILS.flatMap((mail) =>
  (['en', 'zh'] as const).flatMap((language) =>
    (['light', 'dark'] as const).map((theme) => ({ mail, language, theme })),
  ),
);
const WIDTHS = [360, 800] as const;
type Case = (typeof CASES)[number] & { width: (typeof WIDTHS)[number] };

const nameOf = ({ mail, language, theme, width }: Case) => `mail-${mail}-${language}-${theme}-${width}`;

/** Two pictures of the digest cover each language, theme and width. */
const KEPT_DIGESTS = ['mail-digest-en-light-800', 'mail-digest-zh-dark-360'];

function fileOf(one: Case): string | null {
  const { mail, language, theme, width } = one;
  if (mail === 'digest' && !KEPT_DIGESTS.includes(nameOf(one))) return null;
  const isPreview = mail === 'order' && width === 360;
  return isPreview ? `${PREVIEWS}/mail-${language}-${theme}.png` : `${PICTURES}/${nameOf(one)}.png`;
}

const KEPT = CASES.flatMap((one) => WIDTHS.map((width) => fileOf({ ...one, width }))).filter((file) => file !== null);

const SAMPLES = { order: REJECTION, digest: () => DAY };
const markupOf = (
  { mail, language }: Pick<Case, 'mail' | 'language'>,
  notifications = SAMPLES[mail](language),
): string =>
  html(
    composeMail(notifications, {
      mode: mail === 'order' ? 'now' : 'digest',
      locale: language,
      timeZone: language === 'zh' ? 'Asia/Shanghai' : 'Europe/Lisbon',
      publicUrl: 'https://orders.example.com',
      unsubscribeUrl: 'https://orders.example.com/unsubscribe?token=t.t',
    }),
  );

/** Height of the page, pixels beyond its window's width, and order numbers that wrap. */
const sizeOf = (page: Page) =>
  page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    const numbers = Array.from(document.querySelectorAll('.orders a'));
    const broken = numbers.filter((number) => number.getClientRects().length > 1).map(({ textContent }) => textContent);
    return { height: scrollHeight, tooWide: Math.max(0, scrollWidth - innerWidth), broken };
  });

describe('a mail in a browser', () => {
  const { visitors } = browserTests();

  it.each(CASES)('fits, loads nothing and has no accessibility violations: $mail, $language, $theme', async (one) => {
    const { language, theme } = one;
    const { page } = await visitors.visit({ language, theme });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const markup = markupOf(one);
    expect(Buffer.byteLength(markup)).toBeLessThan(MAX_HTML_BYTES);
    await page.setContent(markup);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 200 });
      const { height, ...faults } = await sizeOf(page);
      expect({ width, ...faults }).toEqual({ width, tooWide: 0, broken: [] });
      await page.setViewportSize({ width, height });
      await screenshot(page, nameOf({ ...one, width }));
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(requests).toEqual([]);
      const file = fileOf({ ...one, width });
      if (process.env.PICTURE !== '1' || file === null) continue;
      await mkdir(dirname(join(REPOSITORY, file)), { recursive: true });
      await writeFile(join(REPOSITORY, file), await takeScreenshot(page));
    }
  });

  it('fits a phone if a comment has a long link without a place to break', async () => {
    const { page } = await visitors.visit();
    await page.setViewportSize({ width: 360, height: 200 });
    const notifications = REJECTION('en').map((one) => ({ ...one, comment: `https://x.example/${'a'.repeat(300)}` }));
    await page.setContent(markupOf({ mail: 'order', language: 'en' }, notifications));
    expect(await sizeOf(page)).toMatchObject({ tooWide: 0 });
  });

  it('has small pictures in the repository (PICTURE=1 updates them)', async () => {
    const sizes = await Promise.all(KEPT.map(async (file) => (await stat(join(REPOSITORY, file))).size));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_BYTES);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES_OF_ALL);
  });
});
