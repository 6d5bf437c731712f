import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type World, openWorld } from '../e2e/world.js';
import { type DemoUser, readStack } from '../support/stack.js';
import { browserChoice } from './browser/config.js';
import { isFirefox, isHarmless, openFirefox, preferDark, watchRequests, writeErrorsOut } from './browser/firefox.js';
import { openChromium } from './browser/open-chromium.js';

/** Shorter than the test timeout, so that failures name what was missing. Notifications of concurrent tests may come first. */
const TIMEOUT_MS = 60_000;
/** The first run on a machine may download the browser. */
const FETCH_MS = 15 * 60_000;

type Theme = 'light' | 'dark';

export interface VisitorOptions {
  theme?: Theme;
  /** Language of the browser; the user's language takes precedence. */
  language?: 'en' | 'zh';
  width?: number;
  height?: number;
  /** Screen pixels per CSS pixel: 2 equals 200 % zoom. */
  scale?: number;
  /** A visitor whose cookies are copied, but no other state. */
  cookiesOf?: Visitor;
}

/** A browser context with separate cookies and storage, and the problems in it. */
export class Visitor {
  /** Errors of the page, its console and its content security policy that the test did not expect. */
  readonly problems: string[] = [];
  private readonly expected: RegExp[] = [];
  /** How often in a row each path was last answered 503 or 504. */
  readonly refusals = new Map<string, number>();
  /** Override headers of every request to the API; null for the page's own. */
  private headers: { 'x-user-token': string } | null = null;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
    const { theme = 'light', language = 'en', width = 1440, height = 900, scale = 1 } = options;
    const context = await browser.newContext({
      ...(options.cookiesOf && { storageState: { cookies: await options.cookiesOf.context.cookies(), origins: [] } }),
      viewport: { width, height },
      deviceScaleFactor: scale,
      colorScheme: theme,
      locale: language === 'zh' ? 'zh-CN' : 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    if (isFirefox(context)) await writeErrorsOut(context);
    if (theme === 'dark' && isFirefox(context)) await preferDark(context);
    const visitor = new Visitor(context, await context.newPage());
    visitor.watch(visitor.page);
    return visitor;
  }

  /** Opens another tab of the same browser. */
  async openTab(): Promise<Page> {
    const page = await this.context.newPage();
    this.watch(page);
    return page;
  }

  /** Declares errors that the test itself causes. */
  expect(...errors: RegExp[]): void {
    this.expected.push(...errors);
  }

  /** Sends this token to the API from now on, whoever signs in. */
  async useToken(token: string): Promise<void> {
    const isRouted = this.headers !== null;
    this.headers = { 'x-user-token': token };
    if (isRouted) return;
    await this.page.route('**/api/**', (route, request) =>
      route.fallback({ headers: { ...request.headers(), ...this.headers } }),
    );
  }

  /** Opens a page of the portal at `root` (default: the stack's) and chooses the user at the identity provider. */
  async signIn(user: DemoUser, path = '/', root = portalUrl('/')): Promise<Page> {
    await this.page.goto(new URL(path, root).href);
    await chooseUser(this.page, user);
    await this.page.locator('#content h1').waitFor();
    return this.page;
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  private watch(page: Page): void {
    const note = (problem: string, url = problem) => {
      // Of a busy stack. The portal repeats the request, see `refusals`.
      if (/status of 50[34]\b/.test(problem) && url.includes('/api/')) return;
      if (!isHarmless(problem) && !this.expected.some((known) => known.test(problem))) this.problems.push(problem);
    };
    page.on('response', (response) => {
      const [{ pathname }, error] = [new URL(response.url()), `status of ${response.status()}`];
      const isRefusal = /50[34]$/.test(error) && !this.expected.some((known) => known.test(error));
      this.refusals.set(pathname, isRefusal ? (this.refusals.get(pathname) ?? 0) + 1 : 0);
    });
    page.on('pageerror', (error) => note(`page: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        note(`console: ${message.text()}`, message.location().url);
    });
    if (isFirefox(this.context)) watchRequests(page, note);
  }
}

/** The URL of a page in the portal of the running stack. */
export const portalUrl = (path: string): string => {
  const { portalUrl: root } = readStack();
  if (root === null) throw new Error('the stack serves no portal');
  return new URL(path, root).href;
};

/** Navigates to another page of the portal like its links do, without a reload. */
export async function goTo(page: Page, path: string): Promise<void> {
  const heading = page.locator('h1').first();
  const [before, from] = [await heading.innerText(), new URL(page.url()).pathname];
  await page.evaluate((to) => history.pushState(null, '', to), path);
  if (new URL(portalUrl(path)).pathname === from) return;
  await page.waitForFunction((old) => ![old, undefined].includes(document.querySelector('h1')?.innerText), before);
}

/** Waits until the page receives live updates. */
export const waitUntilLive = (page: Page): Promise<void> => page.locator('[data-live="on"]').waitFor();

/** The origin of the identity provider. */
export const provider = (): string => new URL(readStack().jwksUrl).origin;

/** Ends the session of a page: the provider forgets its user, and the API refuses its token until the page's routes are removed. */
export async function endSession(visitor: Visitor, page: Page): Promise<void> {
  visitor.expect(/status of 401/, /SilentRenew|signinSilent/);
  await visitor.context.clearCookies();
  await page.route('**/api/**', (route, request) =>
    route.continue({ headers: { ...request.headers(), 'x-user-token': 'no.longer.good' } }),
  );
}

/** Ends the session of a page and waits until the page reports it. */
export async function expireSession(visitor: Visitor, page: Page): Promise<void> {
  await endSession(visitor, page);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('dialog').getByText('Your session has ended').waitFor();
}

/** Chooses a user on the identity provider's page. */
export async function chooseUser(page: Page, user: DemoUser): Promise<void> {
  await page.waitForURL(/\/authorize\?/);
  await page.locator(`a[href$="login_hint=${encodeURIComponent(user)}"]`).click();
}

export async function openUserMenu(page: Page): Promise<void> {
  await page.locator('header').first().locator('button[aria-haspopup="menu"]').last().click();
  await page.getByRole('menuitem').last().waitFor();
}

export async function signOut(page: Page): Promise<void> {
  await openUserMenu(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** Collects each distinct token that a page sends to the API from now on, in addition to `tokens`. */
export function watchTokens(page: Page, tokens: string[] = []): string[] {
  page.on('request', (request) => {
    const token = request.headers()['x-user-token'];
    if (token !== undefined && !tokens.includes(token)) tokens.push(token);
  });
  return tokens;
}

/** The browser of one test file and its visitors. */
export class Visitors {
  private browsers: Browser[] = [];
  /** Browsers without a visitor. */
  private free: Browser[] = [];
  private open: Visitor[] = [];

  async start(): Promise<void> {
    const choice = browserChoice();
    this.browsers = [choice === 'firefox' ? await openFirefox() : await openChromium(choice)];
    this.free = [...this.browsers];
  }

  async visit(options?: VisitorOptions): Promise<Visitor> {
    const visitor = await Visitor.open(await this.browser(), options);
    this.open.push(visitor);
    return visitor;
  }

  /** Windows of one Firefox take the focus from each other, so each visitor has a separate Firefox. */
  private async browser(): Promise<Browser> {
    const [first] = this.browsers;
    if (first === undefined) throw new Error('the browser is not started');
    if (browserChoice() !== 'firefox') return first;
    const free = this.free.pop();
    if (free) return free;
    const another = await openFirefox();
    this.browsers.push(another);
    return another;
  }

  /** Closes all visitors. Throws if any page had a problem. */
  async leave(): Promise<void> {
    const left = this.open;
    this.open = [];
    await Promise.all(left.map((visitor) => visitor.close()));
    this.free = [...this.browsers];
    const problems = left.flatMap(({ problems: own, refusals }) => [
      ...own,
      // A page may be left before it repeats a request.
      ...[...refusals].flatMap(([path, times]) => (times > 2 ? `${path} was answered 503 or 504 to the end` : [])),
    ]);
    if (problems.length > 0) throw new Error(`problems in the browser:\n  ${problems.join('\n  ')}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.browsers.map((browser) => browser.close()));
  }
}

/** The fixture of tests that need a browser, but no order. All visitors are closed after each test. */
export function browserTests(): { visitors: Visitors } {
  const visitors = new Visitors();
  beforeAll(() => visitors.start(), FETCH_MS);
  afterEach(() => visitors.leave());
  afterAll(() => visitors.close());
  return { visitors };
}

/** The fixture of portal tests: visitors, and the world that imports their orders. */
export function portalTests(): { visitors: Visitors; world: World } {
  return { ...browserTests(), world: openWorld() };
}
