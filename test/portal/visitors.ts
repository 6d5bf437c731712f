import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type World, openWorld } from '../e2e/world.js';
import { type DemoUser, readStack } from '../support/stack.js';
import { browserChoice } from './browser/config.js';
import { isFirefox, isHarmless, openFirefox, preferDark, watchRequests, writeErrorsOut } from './browser/firefox.js';
import { openChromium } from './browser/open-chromium.js';

/** Shorter than a test may take: what was waited for is told. A notification comes after those that tests beside this one cause. */
const PATIENCE_MS = 60_000;
/** The first run on a machine may fetch the browser. */
const FETCH_MS = 15 * 60_000;

export type Theme = 'light' | 'dark';

export interface VisitorOptions {
  theme?: Theme;
  /** Of the browser; the user's own goes before it. */
  language?: 'en' | 'zh';
  width?: number;
  height?: number;
  /** Pixels of the screen for one of the page: 2 is what 200 % zoom has. */
  scale?: number;
  /** With the cookies of this one, and nothing else that it has. */
  like?: Visitor;
}

/** One browser with cookies and storage of its own, and what went wrong in it. */
export class Visitor {
  /** Errors of the page, of its console and of its policy, but for those that the test said would come. */
  readonly problems: string[] = [];
  private readonly expected: RegExp[] = [];
  /** Of every request to the API, instead of the page's own. */
  private headers: { 'x-user-token': string } | null = null;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
    const { theme = 'light', language = 'en', width = 1440, height = 900, scale = 1 } = options;
    const context = await browser.newContext({
      ...(options.like && { storageState: { cookies: await options.like.context.cookies(), origins: [] } }),
      viewport: { width, height },
      deviceScaleFactor: scale,
      colorScheme: theme,
      locale: language === 'zh' ? 'zh-CN' : 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    if (isFirefox(context)) await writeErrorsOut(context);
    if (theme === 'dark' && isFirefox(context)) await preferDark(context);
    const visitor = new Visitor(context, await context.newPage());
    visitor.watch(visitor.page);
    return visitor;
  }

  /** Another tab of the same browser. */
  async openTab(): Promise<Page> {
    const page = await this.context.newPage();
    this.watch(page);
    return page;
  }

  /** Says which errors the test itself causes. */
  expect(...errors: RegExp[]): void {
    this.expected.push(...errors);
  }

  /** For the API the user of this page is from now on whom the token says, whoever signs in. */
  async isKnownBy(token: string): Promise<void> {
    const isRouted = this.headers !== null;
    this.headers = { 'x-user-token': token };
    if (isRouted) return;
    await this.page.route('**/api/**', (route, request) =>
      route.fallback({ headers: { ...request.headers(), ...this.headers } }),
    );
  }

  /** Opens a page of the portal, the stack's unless `root` is of another one, and chooses who one is, where the identity provider asks. */
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
    const note = (problem: string) => {
      if (!isHarmless(problem) && !this.expected.some((known) => known.test(problem))) this.problems.push(problem);
    };
    page.on('pageerror', (error) => note(`page: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') note(`console: ${message.text()}`);
    });
    if (isFirefox(this.context)) watchRequests(page, note);
  }
}

/** An address of the portal of the stack that runs. */
export const portalUrl = (path: string): string => {
  const { portalUrl: root } = readStack();
  if (root === null) throw new Error('the stack serves no portal');
  return new URL(path, root).href;
};

/** Goes to another page of the portal as its links do: nothing is loaded anew. */
export async function goTo(page: Page, path: string): Promise<void> {
  const heading = page.locator('h1').first();
  const [before, from] = [await heading.innerText(), new URL(page.url()).pathname];
  await page.evaluate((to) => history.pushState(null, '', to), path);
  if (new URL(portalUrl(path)).pathname === from) return;
  await page.waitForFunction((old) => ![old, undefined].includes(document.querySelector('h1')?.innerText), before);
}

/** Waits until the page shows what others do from now on. */
export const isLive = (page: Page): Promise<void> => page.locator('[data-live="on"]').waitFor();

/** Where the provider is. */
export const provider = (): string => new URL(readStack().jwksUrl).origin;

/** Ends the session of a page: neither the provider nor, until the page's routes are taken off, the API knows its user. */
export async function endSession(visitor: Visitor, page: Page): Promise<void> {
  visitor.expect(/status of 401/, /SilentRenew|signinSilent/);
  await visitor.context.clearCookies();
  await page.route('**/api/**', (route, request) =>
    route.continue({ headers: { ...request.headers(), 'x-user-token': 'no.longer.good' } }),
  );
}

/** The same, and waits until the page says so. */
export async function expireSession(visitor: Visitor, page: Page): Promise<void> {
  await endSession(visitor, page);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('dialog').getByText('Your session has ended').waitFor();
}

/** On the identity provider's page. */
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

/** Each token once that a page sends to the API from now on, with those that are known. */
export function watchTokens(page: Page, tokens: string[] = []): string[] {
  page.on('request', (request) => {
    const token = request.headers()['x-user-token'];
    if (token !== undefined && !tokens.includes(token)) tokens.push(token);
  });
  return tokens;
}

/** The browser of one file of tests, and all who visit with it. */
export class Visitors {
  private browsers: Browser[] = [];
  /** Those that nobody visits with. */
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

  /** Windows of one Firefox take the focus from each other: each visitor has a Firefox. */
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

  /** Everybody leaves. Throws for what went wrong in any page. */
  async leave(): Promise<void> {
    const left = this.open;
    this.open = [];
    await Promise.all(left.map((visitor) => visitor.close()));
    this.free = [...this.browsers];
    const problems = left.flatMap((visitor) => visitor.problems);
    if (problems.length > 0) throw new Error(`went wrong in the browser:\n  ${problems.join('\n  ')}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.browsers.map((browser) => browser.close()));
  }
}

/** Visitors, who all leave after each test: what tests have that need a browser, but no order. */
export function browserTests(): { visitors: Visitors } {
  const visitors = new Visitors();
  beforeAll(() => visitors.start(), FETCH_MS);
  afterEach(() => visitors.leave());
  afterAll(() => visitors.close());
  return { visitors };
}

/** What tests of the portal have: visitors, and the world that their orders come from. */
export function portalTests(): { visitors: Visitors; world: World } {
  return { ...browserTests(), world: openWorld() };
}
