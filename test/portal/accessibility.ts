import { AxeBuilder } from '@axe-core/playwright';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';

export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const BAD = new Set(['serious', 'critical']);

/** What keeps people from using the page as it is now, or the part of it that a selector finds, one line each. */
export async function barriers(page: Page, part = 'html'): Promise<string[]> {
  // Of what is good, it need not say where it is.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  const { violations } = await axe.include(part).withTags(RULES).analyze();
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
