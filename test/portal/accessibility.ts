import { AxeBuilder } from '@axe-core/playwright';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';
import { note } from './measurements.js';

export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const BAD = new Set(['serious', 'critical']);

/** What keeps people from using the page as it is now, or the part of it that a selector finds, one line each. */
export async function barriers(page: Page, part = 'html'): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include(part).withTags(RULES).analyze();
  const nodesOf = (wanted: string) =>
    violations.filter(({ impact }) => impact === wanted).reduce((sum, { nodes }) => sum + nodes.length, 0);
  const [language, theme] = await page.evaluate(() => {
    const { lang, dataset } = document.documentElement;
    const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    return [lang, dataset.mantineColorScheme ?? preferred] as const;
  });
  note({ kind: 'axe', language, theme, serious: nodesOf('serious'), critical: nodesOf('critical') });
  return seriousOf(violations);
}

/** Those of what axe found that keep people out, one line each. */
export const seriousOf = (violations: readonly Result[]): string[] =>
  violations
    .filter(({ impact }) => BAD.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );

/** How many pixels the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
