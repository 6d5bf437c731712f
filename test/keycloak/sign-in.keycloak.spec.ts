import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { eventually } from '@po/testing/eventually';
import { type OwnGateway, startOwnGateway } from '../portal/own-gateway.js';
import { browserTests, signOut } from '../portal/visitors.js';
import { apiClient } from '../support/api-client.js';
import { type Keycloak, passwordToken, startKeycloak } from './keycloak.js';
import { Account, Person } from './people.js';

/** The first run downloads and builds Keycloak. */
const START_MS = 15 * 60_000;
/** Token lifetime in seconds; the portal renews such a token after three. */
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

  /** Token that another client of the realm gets for the account. */
  const tokenOfOther = async (account: Account) => {
    const client = { clientId: randomUUID(), publicClient: true, directAccessGrantsEnabled: true };
    await keycloak.admin('POST', '/clients', client);
    return passwordToken(keycloak.authority, client.clientId, account);
  };

  it.each([
    { username: 'buyer', role: 'BUYER', vendorCode: null, locale: 'en', heading: 'Orders' },
    { username: 'vendor', role: 'VENDOR', vendorCode: 'ACME', locale: 'zh-Hans', heading: '订单' },
    { username: 'admin', role: 'ADMIN', vendorCode: null, locale: 'en', heading: 'Orders' },
  ])(
    'signs in the realm user $username, whom the API identifies by the token claims',
    async ({ heading, username, ...known }) => {
      const { page, token, claims } = await signIn(await Account.demo(keycloak, username));
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.locator('tbody a').first().waitFor();
      expect(page.url()).toBe(at('/orders'));
      const { sub: userId, email, name, aud, azp } = claims;
      expect((await me(token)).body).toMatchObject({ ...known, userId, email, name });
      expect([aud, azp]).toEqual(['purchase-orders', 'po-portal']);
      expect(JSON.stringify(await page.evaluate(() => [localStorage, sessionStorage]))).not.toMatch(/eyJ|_token/);
      await page.reload();
      await page.locator('tbody a').first().waitFor();
      expect(page.url()).toBe(at('/orders'));
    },
  );

  it('renews tokens silently before they expire, in each tab', async () => {
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
      await eventually('both tabs have renewed their tokens twice', () => renewals.every(({ count }) => count > 1));
      await person.renew();
      expect(Number(person.claims.exp) - Number(person.claims.iat)).toBe(SHORT_S);
    } finally {
      await keycloak.admin('PUT', '', { accessTokenLifespan });
    }
  });

  it('asks for a new sign-in after an administrator ended the session, and returns to the same page', async () => {
    const account = await Account.fresh(keycloak, 'BUYER');
    const person = await signIn(account);
    person.visitor.expect(/status of 400/);
    await account.endSessions();
    await person.refuseToken();
    const dialog = person.page.getByRole('dialog');
    await dialog.getByText('Your session has ended').waitFor();
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await person.submitCredentials(person.page);
    await person.page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    expect(new URL(person.page.url()).search).toMatch(/^\?search=[\w-]{36}$/);
  });

  it('signs the user out of all tabs and of Keycloak after a sign-out in one tab', async () => {
    const person = await signIn(await Account.fresh(keycloak, 'BUYER'));
    const tab = await person.openTab(at(ORDER));
    await signOut(person.page);
    for (const page of [person.page, tab]) await page.getByText('You are signed out').waitFor();
    expect(person.page.url()).toBe(at('/signed-out'));
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await person.submitCredentials(tab);
    await tab.locator('[role=grid] tfoot').waitFor();
  });

  it('applies a new role or vendor of a user with the next token', async () => {
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
    await viewer.page.getByRole('button', { name: 'Signed in as' }).click();
    await viewer.page.getByRole('menu').getByText('Buyer').waitFor();
  });

  it('keeps working while Keycloak is down and after its restart', async () => {
    const person = await signIn(await Account.fresh(keycloak, 'BUYER'));
    person.visitor.expect(/ERR_CONNECTION_REFUSED|Failed to fetch|SilentRenew/i);
    await keycloak.process.suspend('SIGTERM');
    const failed = person.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/token'));
    await person.refuseToken();
    await failed;
    expect(await person.page.getByRole('dialog').count()).toBe(0);
    await keycloak.resume();
    await person.renew();
    await person.page.reload();
    await person.page.getByRole('button', { name: 'Signed in as' }).waitFor();
  });

  it('keeps working after a rotation of the Keycloak keys', async () => {
    const person = await signIn(await Account.fresh(keycloak, 'BUYER'));
    const keys = await keycloak.admin<{ id: string; providerId: string }[]>(
      'GET',
      '/components?type=org.keycloak.keys.KeyProvider',
    );
    const { kid } = decodeProtectedHeader(person.token);
    await keycloak.rotateKey();
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
    const person = await signIn(account);
    const given = person.page.waitForResponse((response) => response.url().endsWith('/token'));
    await person.renew();
    const { id_token: idToken } = (await (await given).json()) as { id_token: string };
    expect(decodeJwt(idToken)).toMatchObject({ sub: person.claims.sub, aud: 'po-portal' });
    for (const token of [idToken, await tokenOfOther(account)]) {
      expect((await me(token)).body).toMatchObject({ code: 'TOKEN_INVALID' });
    }
  });

  it.each([
    { what: 'vendor code', changed: { attributes: { vendor_code: ['BOLT'] } } },
    { what: 'first name', changed: { firstName: 'Beatrice' } },
    { what: 'last name', changed: { lastName: 'Buyer' } },
  ])('has a realm where only administrators can change the $what of a user', async ({ changed }) => {
    const account = await Account.fresh(keycloak, 'VENDOR', 'ACME');
    const headers = { authorization: `Bearer ${await tokenOfOther(account)}`, accept: 'application/json' };
    const profile = async () => {
      const response = await fetch(`${keycloak.authority}/account`, { headers });
      return (await response.json()) as { attributes: Record<string, string[]> };
    };
    const before = await profile();
    expect(before).toMatchObject({
      firstName: 'New',
      lastName: account.username,
      attributes: { vendor_code: ['ACME'] },
    });
    const answer = await fetch(`${keycloak.authority}/account`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...before, ...changed }),
    });
    expect(answer.status).toBe(400);
    expect(await profile()).toEqual(before);
  });

  const CODE = {
    scope: 'openid',
    response_type: 'code',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  };
  it.each([
    { what: 'a sign-in without PKCE', changed: { code_challenge: '' }, error: 'invalid_request' },
    { what: 'a sign-in with plain PKCE', changed: { code_challenge_method: 'plain' }, error: 'invalid_request' },
    { what: 'the implicit flow', changed: { response_type: 'token' }, error: 'unauthorized_client' },
    { what: 'a redirect to a page below a registered one', page: '/signed-in/more' },
  ])('has a realm that refuses $what', async ({ changed, error, page = '/signed-in' }) => {
    const query = new URLSearchParams({ client_id: 'po-portal', redirect_uri: at(page), ...CODE, ...changed });
    const answer = await fetch(`${keycloak.authority}/protocol/openid-connect/auth?${query}`, { redirect: 'manual' });
    const errorCode = /[?#&]error=(\w+)/.exec(answer.headers.get('location') ?? '')?.[1];
    expect([answer.status, errorCode]).toEqual(error === undefined ? [400, undefined] : [302, error]);
  });

  it('has a realm that refuses the password grant to the portal', async () => {
    const account = await Account.demo(keycloak, 'buyer');
    await expect(passwordToken(keycloak.authority, 'po-portal', account)).rejects.toThrow('unauthorized_client');
  });
});
