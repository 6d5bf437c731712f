import { join } from 'node:path';
import { type Browser, type BrowserContext, type Locator, type Page, firefox } from 'playwright-core';
import { childEnvironment } from '../../../deploy/local/config.js';
import { BROWSER_TOOLS } from '#tools/tools.js';
import { npmFonts } from './npm-browser.js';
import { unpackedBrowser } from './unpacked.js';

/** The hash of `body {}`, which a screenshot puts into the page for a moment. Firefox applies the page's policy to it. */
const STYLE_OF_SCREENSHOTS = /YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/;
/** What a page that is left says of the parts that it was loading. One that cannot be loaded is a failed request, too. */
const MODULE_OF_PAGE_LEFT = /error loading dynamically imported module/;
/** What a page that is left cancels. */
const CANCELLED = 'NS_BINDING_ABORTED';

/** Headless Firefox of Debian by WebDriver BiDi. */
export async function openFirefox(): Promise<Browser> {
  const bin = await unpackedBrowser('Firefox', BROWSER_TOOLS);
  const fonts = await npmFonts();
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: join(bin, 'firefox'),
    env: childEnvironment({ FONTCONFIG_FILE: fonts.file }),
    firefoxUserPrefs: {
      'ui.prefersReducedMotion': 1,
      // Its sandbox lets pages use no font elsewhere.
      'security.sandbox.content.read_path_whitelist': `${fonts.folder}/`,
    },
  });
  ignoreMediaFeatures(browser);
  return browser;
}

/** A connection of WebDriver BiDi, of which Playwright's public interface has none. */
interface Session {
  sessionId: string;
  send: (method: string, params: unknown) => Promise<unknown>;
}
interface Internal<T> {
  _connection: { toImpl: (object: unknown) => T };
}

/** Firefox 153 has no command for media features, which Playwright 1.65 sends for every context. */
function ignoreMediaFeatures(browser: Browser): void {
  const internal = browser as unknown as Internal<{ _browserSession: Session }>;
  const session = internal._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = (method, params) =>
    method === 'emulation.setMediaFeaturesOverride' ? Promise.resolve({}) : send(method, params);
}

export const isFirefox = (context: BrowserContext): boolean => context.browser()?.browserType().name() === 'firefox';

/** The portal's own switch instead of what the system prefers, which is one for all of a Firefox. */
export const preferDark = (context: BrowserContext) =>
  context.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage.setItem('po.theme', 'dark');
  });

/** An error on the console has no text of its own. */
export const writeErrorsOut = (context: BrowserContext) =>
  context.addInitScript(() => {
    const { error: write } = console;
    console.error = (...what: unknown[]) => write(...what.map((part) => (part instanceof Error ? String(part) : part)));
  });

/** A double click. Firefox takes two clicks for one only where one command has both, and Playwright sends one for each. */
export async function doubleClick(target: Locator): Promise<void> {
  const page = target.page();
  if (!isFirefox(page.context())) return target.dblclick();
  await target.hover();
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${String(target)} is nowhere to be seen`);
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
  const clicks = [0, 0].flatMap((button) => [
    { type: 'pointerDown', button },
    { type: 'pointerUp', button },
  ]);
  const actions = [{ type: 'pointerMove', x, y }, ...clicks];
  await perform(page, { type: 'pointer', id: 'pw_mouse', parameters: { pointerType: 'mouse' }, actions });
}

/** Types with the keys. What is on no key of theirs Playwright puts into a Firefox's field behind React's back. */
export async function typeText(page: Page, text: string): Promise<void> {
  if (!isFirefox(page.context())) return page.keyboard.type(text);
  const actions = Array.from(text, (value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]).flat();
  if (actions.length > 0) await perform(page, { type: 'key', id: 'pw_keyboard', actions });
}

async function perform(page: Page, source: object): Promise<void> {
  const internal = page as unknown as Internal<{ delegate: { _session: Session } }>;
  const session = internal._connection.toImpl(page).delegate._session;
  await session.send('input.performActions', { context: session.sessionId, actions: [source] });
}

/** Whether a problem is what Playwright itself did, or of a page that was left. */
export const isHarmless = (problem: string): boolean =>
  STYLE_OF_SCREENSHOTS.test(problem) || MODULE_OF_PAGE_LEFT.test(problem);

/** Tells of each response and request that failed, which Chromium writes on its console, in Chromium's words. */
export function watchRequests(page: Page, tell: (problem: string) => void): void {
  page.on('response', (response) => {
    if (response.status() >= 400) tell(`console: a status of ${response.status()} of ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== CANCELLED) tell(`console: ERR_FAILED, ${reason} of ${request.url()}`);
  });
}
