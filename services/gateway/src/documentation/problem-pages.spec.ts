import { describe, expect, it } from '@jest/globals';
import {
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  type Locale,
  Problem,
  REMEDIES,
  membersOf,
  problemDocument,
} from '@po/contracts';
import { z } from 'zod';
import { html } from './html.js';
import { inline } from './markdown.js';
import { rowsOfMembers } from './problem-members.js';
import { problemPages } from './problem-pages.js';
import { SAMPLES } from './problem-samples.js';

const LOCALES: Locale[] = ['en', 'zh'];
const context = (code: ErrorCode, locale: Locale) => ({ locale, instance: SAMPLES[code].instance, requestId: 'r-1' });

const texts = new Map(
  problemPages().map(({ path, content }) => {
    if (Buffer.isBuffer(content)) throw new Error(`${path} has one language`);
    return [path, { en: content.en.toString(), zh: content.zh.toString() }];
  }),
);

describe.each(ERROR_CODES)('the page of %s', (code) => {
  it.each(LOCALES)('is served at the "type" of its problems and has all its parts (%s)', (locale) => {
    const problem = problemDocument(SAMPLES[code].problem, context(code, locale));
    const text = texts.get(problem.type)?.[locale] ?? '';
    const { cause, remedy } = REMEDIES[code];
    const members = rowsOfMembers(code, locale).flatMap((row) => row.map((cell) => cell.text));
    const expected = [
      html`<h1>${ERRORS[code].title[locale]}</h1>`.text,
      `HTTP ${ERRORS[code].status}`,
      inline(cause[locale], locale).text,
      inline(remedy[locale], locale).text,
      html`${JSON.stringify(problem.detail)}`.text,
      ...members,
    ];
    expect(members).not.toContain('');
    expect(expected.filter((part) => !text.includes(part))).toEqual([]);
  });

  it('shows a problem as the service sends it, with every member', () => {
    const problem = problemDocument(SAMPLES[code].problem, context(code, 'en'));
    const schema = z.strictObject({ ...Problem.shape, ...membersOf(code) });
    expect(schema.safeParse(problem).error).toBeUndefined();
    expect(Object.keys(problem).toSorted()).toEqual(Object.keys(schema.shape).toSorted());
    expect(problem.detail).not.toMatch(/undefined|<|  | [.,;]/);
  });

  it('has its texts in both languages', () => {
    const { cause, remedy } = REMEDIES[code];
    for (const { en, zh } of [cause, remedy]) {
      expect(en).toMatch(/^[\x20-\x7e]+\.$/);
      expect(zh).toMatch(/^.*\p{Script=Han}.*。$/u);
    }
  });
});

describe('the problem pages', () => {
  it('are a list and one page per code', () => {
    expect(texts.size).toBe(ERROR_CODES.length + 1);
    for (const locale of LOCALES) {
      const list = texts.get('/problems')?.[locale] ?? '';
      expect(ERROR_CODES.filter((code) => !list.includes(`<code>${code}</code>`))).toEqual([]);
    }
  });

  it('link to the API operations that can be refused with the code', () => {
    expect(texts.get('/problems/po-not-editable')?.en).toContain(
      'href="/docs?lang=en#/Purchase%20orders/updatePurchaseOrder"',
    );
    expect(texts.get('/problems/internal')?.en).toContain('Every operation can return it.');
  });
});
