import type { Locator, Page } from 'playwright-core';
import type { DemoUser } from '../support/stack.js';
import { typeText } from './browser/firefox.js';
import { type Visitor, portalUrl } from './visitors.js';

/** More tab stops than any page has. */
const MAX_STOPS = 120;

/** A user who works on a page by keyboard alone. */
export class Keyboard {
  constructor(readonly page: Page) {}

  /** Opens a page of the portal and chooses the user at the identity provider. */
  static async signIn({ page }: Visitor, user: DemoUser, path = '/'): Promise<Keyboard> {
    const keyboard = new Keyboard(page);
    await page.goto(portalUrl(path));
    await page.waitForURL(/\/authorize\?/);
    await keyboard.tabTo(page.locator(`a[href$="login_hint=${encodeURIComponent(user)}"]`));
    await page.keyboard.press('Enter');
    await page.locator('#content h1').waitFor();
    return keyboard;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await typeText(this.page, text);
  }

  /** Presses Tab or Shift+Tab until the target has the focus. Throws if the focus is lost or not visible on the way. */
  async tabTo(target: Locator): Promise<void> {
    const isAbove = await target.evaluate((element) => {
      const focused = document.activeElement ?? document.body;
      return (focused.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) > 0;
    });
    const key = isAbove ? 'Shift+Tab' : 'Tab';
    const passed: string[] = [];
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      await this.press(key);
      const name = await this.requireFocus().catch((error: Error) => {
        throw new Error(`${error.message}; passed: ${passed.join(' | ')}`, { cause: error });
      });
      passed.push(name);
      if (await target.evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`${String(target)} is not reached by ${key}; passed: ${passed.join(' | ')}`);
  }

  /** Name of the focused element. Throws if there is none or the focus is not visible. */
  async requireFocus(): Promise<string> {
    const { name, wrong } = await this.page.evaluate(async () => {
      const focused = document.activeElement as HTMLElement | null;
      await Promise.all(focused?.getAnimations().map(({ finished }) => finished) ?? []);
      const label = focused?.getAttribute('aria-label') ?? focused?.textContent?.trim().slice(0, 30) ?? '';
      const focusedText = `${focused?.localName} "${label}"`;
      if (!focused || focused === document.body) return { name: focusedText, wrong: 'nothing has the focus' };
      // Focused by a link or a closed dialog: the next text to read, not a control.
      if (focused.tabIndex < 0) return { name: focusedText };
      const box = focused.matches('input[type=checkbox], input[type=radio]') ? focused.parentElement : focused;
      const { top, left, bottom, right, width, height } = (box ?? focused).getBoundingClientRect();
      const isOutside = bottom < 0 || right < 0 || top > innerHeight || left > innerWidth || width * height === 0;
      if (isOutside) return { name: focusedText, wrong: `${focusedText} has the focus outside the visible area` };
      const { outlineStyle, boxShadow } = getComputedStyle(focused);
      const hasCaret = focused.matches('textarea, input:not([type=checkbox], [type=radio])');
      // A switch or a radio button shows the focus next to the focused input.
      const marked = [focused, focused.nextElementSibling, focused.parentElement]
        .filter((element) => element !== null)
        .some((element) => getComputedStyle(element).outlineStyle !== 'none');
      const isSeen = hasCaret || marked || outlineStyle !== 'none' || boxShadow !== 'none';
      return isSeen
        ? { name: focusedText }
        : { name: focusedText, wrong: `the focus of ${focusedText} is not visible` };
    });
    if (wrong !== undefined) throw new Error(wrong);
    return name;
  }
}
