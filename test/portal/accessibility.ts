import { AxeBuilder } from '@axe-core/playwright';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';

export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const BAD = new Set(['serious', 'critical']);

/** Serious accessibility violations of the page, or of the part that a selector matches, one line each. */
export async function accessibilityViolations(page: Page, part = 'html'): Promise<string[]> {
  // Locations of passed rules are not needed.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  // The portal has no frames of its own. Otherwise each analysis opens another page.
  axe.setLegacyMode();
  const { violations } = await axe.include(part).withTags(RULES).analyze();
  return seriousViolations(violations);
}

/** The serious and critical ones of the violations that axe found, one line each. */
export const seriousViolations = (violations: readonly Result[]): string[] =>
  violations
    .filter(({ impact }) => BAD.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );

/** Number of pixels by which the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Whether the middle of the focused element, if there is one, is visible: in the window, not cut off, and not behind a bar that stays. */
export const isFocusVisible = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const focused = document.activeElement!;
    const { x, y, width, height } = focused.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    for (let over = top; over; over = over.parentElement)
      if (/sticky|fixed/.test(getComputedStyle(over).position)) return over.contains(focused);
    // A label or a cell may cover its field.
    const own = [focused, focused.closest('label, td, th, tr'), ...((focused as HTMLInputElement).labels ?? [])];
    return focused === document.body || own.some((part) => part?.contains(top));
  });
