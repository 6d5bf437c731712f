import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { Page, Route } from 'playwright-core';
import { eventually } from '@po/testing/eventually';
import { type Visitor, type Visitors, watchTokens } from '../portal/visitors.js';
import type { Keycloak } from './keycloak.js';

type Role = 'BUYER' | 'VENDOR' | 'ADMIN' | 'VIEWER';

interface Representation {
  id: string;
  username: string;
  attributes?: Record<string, string[]>;
}

/** User of the realm, with a random password. */
export class Account {
  readonly password = `${randomUUID()}!`;

  private constructor(
    private readonly keycloak: Keycloak,
    private readonly user: Representation,
  ) {}

  /** Returns a user from the realm's files. */
  static async demo(keycloak: Keycloak, username: string): Promise<Account> {
    const [user] = await keycloak.admin<Representation[]>('GET', `/users?exact=true&username=${username}`);
    if (user === undefined) throw new Error(`no user ${username}`);
    const account = new Account(keycloak, user);
    const credential = { type: 'password', value: account.password, temporary: false };
    await keycloak.admin('PUT', `${account.path}/reset-password`, credential);
    return account;
  }

  /** Creates a user for one test. */
  static async fresh(keycloak: Keycloak, role: Role, vendorCode?: string): Promise<Account> {
    const username = `user-${randomUUID().slice(0, 8)}`;
    await keycloak.admin('POST', '/users', {
      username,
      enabled: true,
      email: `${username}@example.com`,
      firstName: 'New',
      lastName: username,
      attributes: vendorCode === undefined ? {} : { vendor_code: [vendorCode] },
    });
    const account = await Account.demo(keycloak, username);
    await account.grant(role);
    return account;
  }

  get username(): string {
    return this.user.username;
  }

  private get path(): string {
    return `/users/${this.user.id}`;
  }

  async grant(role: Role): Promise<void> {
    const mappings = `${this.path}/role-mappings/realm`;
    const held = await this.keycloak.admin<{ name: string }[]>('GET', mappings);
    const products = held.filter(({ name }) => name === name.toUpperCase());
    await this.keycloak.admin('DELETE', mappings, products);
    await this.keycloak.admin('POST', mappings, [await this.keycloak.admin('GET', `/roles/${role}`)]);
  }

  async moveTo(vendorCode: string): Promise<void> {
    const { attributes } = await this.keycloak.admin<Representation>('GET', this.path);
    await this.keycloak.admin('PUT', this.path, {
      ...this.user,
      attributes: { ...attributes, vendor_code: [vendorCode] },
    });
  }

  /** Ends all sessions of the user, as an administrator does. */
  async endSessions(): Promise<void> {
    const sessions = await this.keycloak.admin<{ id: string }[]>('GET', `${this.path}/sessions`);
    await Promise.all(sessions.map(({ id }) => this.keycloak.admin('DELETE', `/sessions/${id}`)));
  }
}

/** Signed-in user of the portal, with the tokens that the page sends. */
export class Person {
  readonly tokens: string[] = [];

  private constructor(
    readonly visitor: Visitor,
    readonly page: Page,
    private readonly account: Account,
  ) {
    watchTokens(page, this.tokens);
  }

  /** Opens a page of the portal in a separate browser context and signs in on Keycloak's page. */
  static async signIn(visitors: Visitors, account: Account, url: string): Promise<Person> {
    const visitor = await visitors.visit();
    const person = new Person(visitor, visitor.page, account);
    await visitor.page.goto(url);
    await person.submitCredentials(visitor.page);
    await isShown(visitor.page);
    return person;
  }

  /** Submits username and password on Keycloak's page. */
  async submitCredentials(page: Page): Promise<void> {
    await page.waitForURL(/\/protocol\/openid-connect\/auth\?/);
    await page.locator('#username').fill(this.account.username);
    await page.locator('#password').fill(this.account.password);
    await page.locator('#kc-login').click();
  }

  async openTab(url: string): Promise<Page> {
    const tab = await this.visitor.openTab();
    watchTokens(tab, this.tokens);
    await tab.goto(url);
    await isShown(tab);
    return tab;
  }

  get claims(): Record<string, unknown> {
    return decodeJwt(this.token);
  }

  /** Last token that was sent; empty if there is none. */
  get token(): string {
    return this.tokens.at(-1) ?? '';
  }

  /** Makes the page renew its token, as after a refusal by the API. Resolves when a request to the API has the new token. */
  async renew(): Promise<void> {
    const before = this.tokens.length;
    await this.refuseToken();
    await eventually('a request has a new token', () => this.tokens.length > before);
    await isShown(this.page);
  }

  /** Invalidates the token of the page's next request, and makes the page request a list that is not cached. */
  async refuseToken(): Promise<void> {
    this.visitor.expect(/status of 401/);
    const corrupt = (route: Route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-user-token': 'no.longer.good' } });
    await this.page.route('**/api/**', corrupt, { times: 1 });
    await this.page.evaluate((text) => history.pushState(null, '', `/orders?search=${text}`), randomUUID());
  }
}

const isShown = (page: Page) => page.locator('#content h1').waitFor();
