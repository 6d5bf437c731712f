import { describe, expect, it } from '@jest/globals';
import { pathOf } from '@po/mail/dist/content/compose.js';
import type { BrowserContext, Page } from 'playwright-core';
import { act, historyOf } from '../../e2e/world.js';
import { NewUser } from '../new-user.js';
import { BOLT } from '../orders-list.js';
import { chooseUser, openUserMenu, portalTests, portalUrl, provider, signOut } from '../visitors.js';

const ORDER = '/orders/PO-4500018208';

const isAtProvider = (page: Page): boolean => page.url().startsWith(provider());
const vendorsIn = (page: Page) => page.locator('tbody td:nth-child(5)').allInnerTexts();

/** As in a browser that sends no cookies of other sites in frames: only a redirect can sign in. */
const refuseInFrames = (context: BrowserContext): Promise<unknown> =>
  context.route(/\/authorize\?.*prompt=none/, (route, request) => {
    const answer = new URL(portalUrl('/signed-in/silently?error=login_required'));
    answer.searchParams.set('state', new URL(request.url()).searchParams.get('state') ?? '');
    return route.fulfill({ status: 302, headers: { location: answer.href } });
  });

describe('a sign-in to the portal', () => {
  const { visitors, world } = portalTests();

  it('shows a buyer all orders and a vendor only its own, each in the language of the user', async () => {
    const [buyer, vendor] = await Promise.all([visitors.visit(), visitors.visit()]);
    const bought = await buyer.signIn('buyer');
    await bought.locator('tbody a').first().waitFor();
    expect(new Set(await vendorsIn(bought)).size).toBeGreaterThan(1);
    expect(await bought.locator('h1').innerText()).toBe('Orders');
    const sold = await vendor.signIn('vendor:ACME');
    await sold.locator('tbody a').first().waitFor();
    expect(new Set(await vendorsIn(sold))).toEqual(new Set(['Acme Apparel Ltd.']));
    expect([await sold.locator('h1').innerText(), await sold.locator('html').getAttribute('lang')]).toEqual([
      '订单',
      'zh-CN',
    ]);
  });

  it('leads from a mail to its change, with and without a session at the provider', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    await act(world.as('vendor:BOLT'), poNumber, 'SUBMIT', 'Two days more');
    const [submitted] = await historyOf(world.as('buyer'), poNumber);
    const link = portalUrl(pathOf({ poRef: poNumber, historyId: submitted?.id ?? null }));
    const unknown = await visitors.visit();
    await unknown.page.goto(link);
    await chooseUser(unknown.page, 'buyer');
    await unknown.page.locator('li[data-link-target]').getByText('Two days more').waitFor();
    const known = await visitors.visit({ cookiesOf: unknown, width: 390 });
    await known.page.goto(link);
    await known.page.locator('li[data-link-target]').getByText('Two days more').waitFor();
    for (const { page } of [unknown, known]) {
      expect(page.url()).toBe(link);
      expect(await page.locator('li[data-link-target]').evaluate((entry) => entry === document.activeElement)).toBe(
        true,
      );
    }
  });

  it('survives a reload, covers new tabs, and leaves no token in browser storage', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', ORDER);
    await page.reload();
    const tab = await visitor.openTab();
    await tab.goto(portalUrl('/orders'));
    for (const signedIn of [page, tab]) {
      await signedIn.locator('tbody tr').first().waitFor();
      expect(isAtProvider(signedIn)).toBe(false);
      const kept = await signedIn.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      expect(kept).not.toMatch(/eyJ|access_token|id_token/);
    }
  });

  it('ends by signing out, in all tabs and at the provider', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', ORDER);
    const tab = await visitor.openTab();
    await tab.goto(portalUrl('/orders'));
    await tab.locator('tbody tr').first().waitFor();
    await signOut(page);
    for (const left of [page, tab]) {
      await left.getByText('You are signed out').waitFor();
      expect(await left.locator('tbody').count()).toBe(0);
    }
    expect(page.url()).toBe(portalUrl('/signed-out'));
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await chooseUser(tab, 'buyer');
    await tab.locator('tbody tr').first().waitFor();
    expect(tab.url()).toBe(portalUrl('/orders'));
  });

  it('ends the choice of another language than the preferred one', async () => {
    const user = await NewUser.withRightsOf(visitors, 'buyer');
    const mail = { TRANSITION: 'now', MESSAGE: 'now', REMINDER: 'now' };
    await user.api.put('/me/preferences', { locale: 'zh', timeZone: 'UTC', mail, digestAt: '08:00' });
    const page = await user.visit('/orders');
    await page.getByRole('button', { name: '语言' }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await chooseUser(page, 'buyer');
    await page.getByRole('heading', { name: '订单' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  });

  it('as another demo user takes one click, and no tab continues as the previous user', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer');
    const tab = await visitor.openTab();
    await tab.goto(portalUrl(ORDER));
    await tab.locator('[role=grid] tfoot').waitFor();
    await openUserMenu(page);
    await page.getByRole('menuitem', { name: 'Ana Souza' }).click();
    await page.getByRole('button', { name: 'Signed in as Ana Souza' }).waitFor();
    await page.locator('tbody a').first().waitFor();
    expect(new Set(await vendorsIn(page))).toEqual(new Set(['Bolt Garments S.A.']));
    await tab.getByText('Somebody else signed in').waitFor();
    expect(await tab.title()).toBe('Somebody else signed in · Purchase orders');
    expect(await tab.locator('[role=grid] tfoot').count()).toBe(0);
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.getByRole('button', { name: 'Signed in as Ana Souza' }).waitFor();
  });

  it('never leads to another site, whatever the opened address looks like', async () => {
    const visitor = await visitors.visit();
    visitor.expect(/status of 404/);
    await visitor.page.goto(`${new URL(portalUrl('/')).origin}//evil.example/orders?next=https://evil.example`);
    await chooseUser(visitor.page, 'buyer');
    await visitor.page.getByRole('button', { name: 'Signed in as' }).waitFor();
    expect(visitor.page.url()).toBe(portalUrl('/evil.example/orders'));
  });

  it('starts again if the authorization response was already used', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer');
    await page.goto(portalUrl('/signed-in?code=old&state=old'));
    await page.locator('tbody tr').first().waitFor();
    expect(page.url()).toBe(portalUrl('/orders'));
  });

  it('shows an error of the provider and can be retried', async () => {
    const visitor = await visitors.visit();
    await visitor.context.route(`${provider()}/authorize?*`, (route, request) =>
      route.continue({ url: request.url().replace('scope=openid+', 'scope=') }),
    );
    await visitor.page.goto(portalUrl('/orders'));
    await visitor.page.getByRole('alert').getByText('scope must hold openid').waitFor();
    await visitor.context.unrouteAll();
    await visitor.page.getByRole('button', { name: 'Try again' }).click();
    await chooseUser(visitor.page, 'buyer');
    await visitor.page.locator('tbody tr').first().waitFor();
    expect(visitor.page.url()).toBe(portalUrl('/orders'));
  });

  it('reports a failed token request once, and can then be retried for the same page', async () => {
    const visitor = await visitors.visit();
    visitor.expect(/ERR_FAILED/, /CORS request did not succeed/);
    const { context, page } = visitor;
    await refuseInFrames(context);
    await context.route(`${provider()}/token`, (route) => route.abort());
    await page.goto(portalUrl(ORDER));
    await chooseUser(page, 'buyer');
    await page.getByText('You cannot sign in right now').waitFor();
    await context.unroute(`${provider()}/token`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[role=grid] tfoot').waitFor();
    expect(page.url()).toBe(portalUrl(ORDER));
  });

  it('by a redirect leaves no page in the history from which Back would redirect again', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer');
    await refuseInFrames(visitor.context);
    const pages = () => page.evaluate(() => history.length);
    await page.goto('about:blank');
    const before = await pages();
    await page.goto(portalUrl(ORDER));
    await page.locator('[role=grid] tfoot').waitFor();
    expect(await pages()).toBe(before + 1);
  });

  it('can be retried after the provider did not answer', async () => {
    const visitor = await visitors.visit();
    visitor.expect(/ERR_FAILED/, /CORS request did not succeed/);
    await visitor.context.route(`${provider()}/**`, (route) => route.abort());
    await visitor.page.goto(portalUrl(ORDER));
    await visitor.page.getByText('You cannot sign in right now').waitFor();
    await visitor.context.unrouteAll();
    await visitor.page.getByRole('button', { name: 'Try again' }).click();
    await chooseUser(visitor.page, 'buyer');
    await visitor.page.locator('[role=grid] tfoot').waitFor();
    expect(visitor.page.url()).toBe(portalUrl(ORDER));
  });

  it('tells that the browser forbids the storage that it needs', async () => {
    const visitor = await visitors.visit();
    // The script that applies a stored theme before the first paint.
    visitor.expect(/operation is insecure/);
    await visitor.context.addInitScript(() => {
      function refuse() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse });
      // Firefox.
      Object.assign(window, { BroadcastChannel: refuse });
    });
    await visitor.page.goto(portalUrl(ORDER));
    const alert = await visitor.page.getByRole('alert').innerText();
    expect(alert).toContain('This browser blocks the storage that the sign-in needs.');
  });
});
