import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { eventually } from '@po/testing/eventually';
import { type OwnGateway, startOwnGateway } from '../portal/own-gateway.js';
import { browserTests } from '../portal/visitors.js';
import { apiClient } from '../support/api-client.js';
import { type Keycloak, passwordToken, startKeycloak } from './keycloak.js';
import { Account, Person } from './people.js';

/** The first run fetches Keycloak and builds it. */
const START_MS = 15 * 60_000;
/** Seconds: a token that the portal renews after three. */
const SHORT_S = 63;
const ORDER = '/orders/PO-4500018208';

describe('the portal with Keycloak', () => {
  const { visitors } = browserTests();
  let keycloak: Keycloak;
  let gateway: OwnGateway;
  beforeAll(async () => {
    gateway = await startOwnGateway({}, async (portal) => (keycloak = await startKeycloak(portal)));
  }, START_MS);
  afterAll(() => gateway?.stop());

  const at = (path: string) => new URL(path, gateway.url).href;
  const signIn = (account: Account, path = '/orders') => Person.signIn(visitors, account, at(path));
  const me = (token: string) => apiClient(gateway.url, token).get<Record<string, unknown>>('/me');

  it.each([
    { username: 'buyer', role: 'BUYER', vendorCode: null, locale: 'en', heading: 'Orders' },
    { username: 'vendor', role: 'VENDOR', vendorCode: 'ACME', locale: 'zh-Hans', heading: '订单' },
    { username: 'admin', role: 'ADMIN', vendorCode: null, locale: 'en', heading: 'Orders' },
  ])('signs in the $username of the realm, whom the API knows by the claims', async ({ heading, ...user }) => {
    const { page, token, claims } = await signIn(await Account.demo(keycloak, user.username));
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.locator('tbody a').first().waitFor();
    expect(page.url()).toBe(at('/orders'));
    const { username: _, ...known } = user;
    expect((await me(token)).body).toMatchObject({
      ...known,
      userId: claims.sub,
      email: claims.email,
      name: claims.name,
    });
    expect(claims).toMatchObject({ aud: 'purchase-orders', azp: 'po-portal', role: user.role });
    expect(JSON.stringify(await page.evaluate(() => [localStorage, sessionStorage]))).not.toMatch(/eyJ|_token/);
  });

  it('renews tokens silently before they end, in each tab', async () => {
    const account = await Account.fresh(keycloak, 'BUYER');
    const { accessTokenLifespan } = await keycloak.admin<{ accessTokenLifespan: number }>('GET', '');
    await keycloak.admin('PUT', '', { accessTokenLifespan: SHORT_S });
    try {
      const person = await signIn(account);
      const renewals = [person.page, await person.openTab(at(ORDER))].map((page) => {
        const seen = { count: 0 };
        page.on('response', (response) => {
          if (response.url().endsWith('/token') && response.ok()) seen.count += 1;
        });
        return seen;
      });
      await eventually('both have other tokens, and again', () => renewals.every(({ count }) => count > 1), {
        timeoutMs: 30_000,
      });
      await person.renew();
      expect(Number(person.claims.exp) - Number(person.claims.iat)).toBe(SHORT_S);
    } finally {
      await keycloak.admin('PUT', '', { accessTokenLifespan });
    }
  });

  it('opens again without a question while Keycloak knows the user', async () => {
    const person = await signIn(await Account.fresh(keycloak, 'BUYER'), ORDER);
    await person.page.reload();
    await person.page.locator('[role=grid] tfoot').waitFor();
    expect(person.page.url()).toBe(at(ORDER));
  });

  it('ends the session that an administrator has ended, and leads back to the page', async () => {
    const account = await Account.fresh(keycloak, 'BUYER');
    const person = await signIn(account);
    person.visitor.expect(/status of 400/);
    await account.endSessions();
    await person.refuseToken();
    const dialog = person.page.getByRole('dialog');
    await dialog.getByText('Your session has ended').waitFor();
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await person.giveName(person.page);
    await person.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(person.page.url()).toBe(at('/dashboard'));
  });

  it('ends in all tabs, and at Keycloak, where one signs out in one of them', async () => {
    const person = await signIn(await Account.fresh(keycloak, 'BUYER'));
    const tab = await person.openTab(at(ORDER));
    await person.page.locator('header').first().locator('button[aria-haspopup="menu"]').last().click();
    await person.page.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const page of [person.page, tab]) await page.getByText('You are signed out').waitFor();
    expect(person.page.url()).toBe(at('/signed-out'));
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await person.giveName(tab);
    await tab.locator('[role=grid] tfoot').waitFor();
  });

  it('gives a user another role, and another vendor, with the next token', async () => {
    const [promoted, moved] = await Promise.all([
      Account.fresh(keycloak, 'VIEWER'),
      Account.fresh(keycloak, 'VENDOR', 'ACME'),
    ]);
    const [viewer, vendor] = await Promise.all([signIn(promoted), signIn(moved)]);
    await Promise.all([promoted.grant('BUYER'), moved.moveTo('BOLT')]);
    await Promise.all([viewer.renew(), vendor.renew()]);
    expect((await me(viewer.token)).body).toMatchObject({ role: 'BUYER', vendorCode: null });
    expect((await me(vendor.token)).body).toMatchObject({ role: 'VENDOR', vendorCode: 'BOLT' });
    await vendor.page.getByRole('link', { name: 'Orders' }).first().click();
    await vendor.page.locator('tbody').getByText('Bolt Garments S.A.').first().waitFor();
    expect(await vendor.page.locator('tbody').getByText('Acme Apparel Ltd.').count()).toBe(0);
  });

  it('goes on after a restart of Keycloak and while it is away', async () => {
    const person = await signIn(await Account.fresh(keycloak, 'BUYER'));
    person.visitor.expect(/ERR_CONNECTION_REFUSED|Failed to fetch|SilentRenew/i);
    await keycloak.process.suspend('SIGTERM');
    await person.refuseToken();
    await person.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await keycloak.resume();
    await person.renew();
    await person.page.reload();
    await person.page.getByRole('button', { name: 'Signed in as' }).waitFor();
  });

  it('goes on after a rotation of the keys of Keycloak', async () => {
    const person = await signIn(await Account.fresh(keycloak, 'BUYER'));
    const keys = await keycloak.admin<{ id: string; providerId: string }[]>(
      'GET',
      '/components?type=org.keycloak.keys.KeyProvider',
    );
    const { kid } = decodeProtectedHeader(person.token);
    await keycloak.admin('POST', '/components', {
      name: 'next',
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['200'], algorithm: ['RS256'] },
    });
    await person.renew();
    expect(decodeProtectedHeader(person.token).kid).not.toBe(kid);
    expect((await me(person.token)).status).toBe(200);
    const former = keys.find(({ providerId }) => providerId === 'rsa-generated');
    await keycloak.admin('DELETE', `/components/${former?.id}`);
    await person.renew();
    expect((await me(person.token)).status).toBe(200);
  });

  it('refuses tokens of another client and audience, and ID tokens', async () => {
    const account = await Account.fresh(keycloak, 'VENDOR', 'ACME');
    const given = visitors.visit();
    void given;
    await keycloak.admin('POST', '/clients', {
      clientId: 'other',
      publicClient: true,
      directAccessGrantsEnabled: true,
    });
    const other = await passwordToken(keycloak.authority, 'other', account);
    expect((await me(other)).body).toMatchObject({ code: 'TOKEN_INVALID' });
  });
});
