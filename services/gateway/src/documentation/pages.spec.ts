import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ASYNCAPI_FILE, OPENAPI_FILE } from '@po/contracts';
import { documentationPages } from './pages.js';

const pages = documentationPages(true);
const paths = new Set(pages.map(({ path }) => path));
const isHtml = ({ mediaType }: { mediaType: string }) => mediaType.startsWith('text/html');
const texts = pages.filter(isHtml).flatMap(({ path, content, contentSecurityPolicy: policy = '' }) => {
  if (Buffer.isBuffer(content)) throw new Error(`${path} has one language`);
  return (['en', 'zh'] as const).map((locale) => ({ path, locale, policy, text: content[locale].toString() }));
});
const found = (pattern: RegExp) =>
  texts.flatMap(({ path, locale, text }) =>
    [...text.matchAll(pattern)].map(([all, value = '']) => ({ path, locale, all, value })),
  );

describe('the documentation', () => {
  it('is served under every published path', () => {
    const promised = ['/docs', '/docs/guide', '/docs/events', '/problems', '/problems/token-missing'];
    expect(promised.filter((path) => !paths.has(path))).toEqual([]);
    expect(paths.size).toBe(pages.length);
  });

  it('is absent if it is turned off', () => {
    expect(documentationPages(false)).toEqual([]);
  });

  it('has few route templates, which limits the metrics', () => {
    const kinds = new Set(pages.map(({ route }) => route));
    expect(kinds.size).toBeLessThan(12);
    expect([...kinds]).toEqual(expect.arrayContaining(['/problems/:code', '/docs/assets/:file']));
  });

  it.each([
    ['/docs/openapi.json', OPENAPI_FILE],
    ['/docs/asyncapi.json', ASYNCAPI_FILE],
  ])('serves %s as the contracts package has it', (path, file) => {
    const page = pages.find((one) => one.path === path);
    expect(page?.mediaType).toBe('application/json; charset=utf-8');
    // Jest would compare half a million bytes one by one.
    expect(readFileSync(file).equals(page?.content as Buffer)).toBe(true);
  });

  it.each(texts)('renders $path ($locale) as a complete page with one h1', ({ text, locale }) => {
    expect(text.startsWith('<!doctype html>')).toBe(true);
    expect(text).toContain(`<html lang="${locale}">`);
    expect(text).toMatch(/<title>[^<]+<\/title>/);
    expect(text.match(/<h1>/g)).toHaveLength(1);
  });

  it('links only to its own pages, in the language of the page, and to RFCs', () => {
    const links = found(/<a\s[^>]*?href="([^"]*)"/g);
    expect(links.length).toBeGreaterThan(500);
    const broken = links.filter(({ path, locale, value }) => {
      if (value.startsWith('https://www.rfc-editor.org/')) return false;
      const { pathname, searchParams, hash } = new URL(value, `http://gateway${path}?lang=${locale}`);
      const page = pages.find((one) => one.path === pathname);
      if (!page || !isHtml(page)) return !page;
      const target = texts.find((one) => one.path === pathname && one.locale === searchParams.get('lang'));
      // The only link to the other language leads to the same page.
      if (!target || (target.locale !== locale && pathname !== path)) return true;
      const isOfReference = hash.startsWith('#/');
      return hash !== '' && !isOfReference && !target.text.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
    });
    expect(broken).toEqual([]);
  });

  it('loads nothing that its policy forbids, and nothing from another host', () => {
    expect(found(/<script(?![^>]*\ssrc="\/docs\/assets\/)|<style|\sstyle="|\son\w+="|<iframe|<form/g)).toEqual([]);
    const loaded = found(/<(?:link|script|img)\s[^>]*?(?:href|src)="([^"]*)"/g).filter(
      ({ value }) => value !== 'data:,',
    );
    expect(loaded.length).toBeGreaterThan(50);
    expect(loaded.filter(({ value }) => !paths.has(value))).toEqual([]);
    for (const { path, policy, text } of texts) {
      expect(policy).toMatch(/^default-src 'none'; /);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect([path, policy.includes("script-src 'self'")]).toEqual([path, text.includes('<script')]);
    }
  });

  it('gives every asset a path that changes with its content', () => {
    const assets = pages.filter(({ path }) => path.startsWith('/docs/assets/'));
    expect(assets.length).toBe(5);
    for (const { path, immutable } of assets) {
      expect(path).toMatch(/^\/docs\/assets\/[\w-]+-[0-9a-f]{12}\.(?:css|js)$/);
      expect(immutable).toBe(true);
    }
    expect(pages.filter(({ immutable }) => immutable)).toEqual(assets);
  });
});
