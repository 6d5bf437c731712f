import { join } from 'node:path';
import { type Browser, type BrowserContext, type Locator, type Page, firefox } from 'playwright-core';
import { childEnvironment } from '../../../deploy/local/config.js';
import { BROWSER_TOOLS } from '#local/tools/tools.js';
import { npmFonts } from './npm-browser.js';
import { unpackedBrowser } from './unpacked.js';

/** Hash of the style `body {}`, which a screenshot inserts for a moment. Firefox checks it against the page's policy. */
const STYLE_OF_SCREENSHOTS = /YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/;
/** Error of a page that is left while it loads modules. A module that really fails is also a failed request. */
const MODULE_OF_PAGE_LEFT = /error loading dynamically imported module/;
/** Failure of requests that are cancelled because the page is left. */
const CANCELLED = 'NS_BINDING_ABORTED';

/** Opens Debian's Firefox headless through WebDriver BiDi. */
export async function openFirefox(): Promise<Browser> {
  const bin = await unpackedBrowser('Firefox', BROWSER_TOOLS);
  const fonts = await npmFonts();
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: join(bin, 'firefox'),
    env: childEnvironment({ FONTCONFIG_FILE: fonts.file }),
    firefoxUserPrefs: {
      'ui.prefersReducedMotion': 1,
      // The sandbox blocks fonts in other folders.
      'security.sandbox.content.read_path_whitelist': `${fonts.folder}/`,
    },
  });
  ignoreMediaFeatures(browser);
  return browser;
}

/** A WebDriver BiDi session, which Playwright does not expose publicly. */
interface Session {
  sessionId: string;
  send: (method: string, params: unknown) => Promise<unknown>;
}
interface Internal<T> {
  _connection: { toImpl: (object: unknown) => T };
}

/** Drops the command for media features, which Playwright 1.65 sends for every context and Firefox 153 lacks. */
function ignoreMediaFeatures(browser: Browser): void {
  const internal = browser as unknown as Internal<{ _browserSession: Session }>;
  const session = internal._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = (method, params) =>
    method === 'emulation.setMediaFeaturesOverride' ? Promise.resolve({}) : send(method, params);
}

export const isFirefox = (context: BrowserContext): boolean => context.browser()?.browserType().name() === 'firefox';

/** Sets the portal's dark theme, because a Firefox has one system preference for all its contexts. */
export const preferDark = (context: BrowserContext) =>
  context.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage.setItem('po.theme', 'dark');
  });

/** Makes console.error print errors as text, which Firefox leaves out. */
export const writeErrorsOut = (context: BrowserContext) =>
  context.addInitScript(() => {
    const { error: write } = console;
    console.error = (...what: unknown[]) => write(...what.map((part) => (part instanceof Error ? String(part) : part)));
  });

/** Double-clicks. Firefox needs both clicks in one command, but Playwright sends one command per click. */
export async function doubleClick(target: Locator): Promise<void> {
  const page = target.page();
  if (!isFirefox(page.context())) return target.dblclick();
  await target.hover();
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${String(target)} is not visible`);
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
  const clicks = [0, 0].flatMap((button) => [
    { type: 'pointerDown', button },
    { type: 'pointerUp', button },
  ]);
  const actions = [{ type: 'pointerMove', x, y }, ...clicks];
  await perform(page, { type: 'pointer', id: 'pw_mouse', parameters: { pointerType: 'mouse' }, actions });
}

/** Types by key events. For characters without a key Playwright sets a field in Firefox so that React does not notice. */
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

/** Whether a problem comes from Playwright itself or from leaving a page. */
export const isHarmless = (problem: string): boolean =>
  STYLE_OF_SCREENSHOTS.test(problem) || MODULE_OF_PAGE_LEFT.test(problem);

/** Reports failed responses and requests with the texts that Chromium writes to its console. */
export function watchRequests(page: Page, report: (problem: string) => void): void {
  page.on('response', (response) => {
    if (response.status() >= 400) report(`console: a status of ${response.status()} of ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== CANCELLED) report(`console: ERR_FAILED, ${reason} of ${request.url()}`);
  });
}
