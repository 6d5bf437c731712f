import { describe, expect, it } from '@jest/globals';
import { enter, openMatrix } from '../matrix.js';
import { BOLT } from '../orders-list.js';
import { chooseUser, expireSession, portalTests, portalUrl, provider, signOut } from '../visitors.js';

const VENDOR = 'vendor:BOLT';
const ORDER = '/orders/PO-4500018208';

describe('a shared computer', () => {
  const { visitors, world } = portalTests();

  /** A page of a buyer whose session has expired, and its API and sign-in requests from then on. */
  const expired = async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', ORDER);
    await page.locator('[role=grid] tfoot').waitFor();
    await expireSession(visitor, page);
    await page.unrouteAll();
    const requested: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/') || pathname === '/authorize') requested.push(pathname);
    });
    return { visitor, page, requested };
  };

  it('hides the page of an expired session from the next user', async () => {
    const { visitor, page, requested } = await expired();
    const tab = await visitor.openTab();
    await tab.goto(portalUrl('/orders'));
    await chooseUser(tab, VENDOR);
    await tab.getByRole('button', { name: 'Signed in as Ana Souza' }).waitFor();
    await page.getByText('Somebody else signed in').waitFor();
    expect(await page.locator('[role=grid], tbody').count()).toBe(0);
    expect(requested).toEqual([]);
  });

  it('sends no request as the next user, even if no tab announces the change', async () => {
    const { visitor, page, requested } = await expired();
    const tab = await visitor.openTab();
    await tab.addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
    await tab.goto(portalUrl('/orders'));
    await chooseUser(tab, VENDOR);
    await tab.getByRole('button', { name: 'Signed in as Ana Souza' }).waitFor();
    // Each of these pages calls the API if it has a token.
    await page.goBack();
    await page.locator('[role=grid] tfoot').waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'Dashboard', includeHidden: true }).waitFor();
    expect(requested).toEqual([]);
    expect(await page.getByRole('dialog').getByText('Your session has ended').count()).toBe(1);
  });

  it.each(['Discard', 'Keep'])('offers to discard unsaved edits at sign-out: %s', async (choice) => {
    const { poNumber } = await world.importOrder(BOLT);
    const visitor = await visitors.visit();
    const page = await openMatrix(visitor, VENDOR, poNumber);
    await enter(page, 0, 1, '7');
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor();
    await signOut(page);
    await page.getByRole('dialog').getByText('1 order has unsaved changes').waitFor();
    await page.getByRole('button', { name: `${choice} and sign out` }).click();
    await page.getByText('You are signed out').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.goto(portalUrl(`/orders/${poNumber}`));
    await chooseUser(page, VENDOR);
    await page.locator('[role=grid] tfoot').waitFor();
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(choice === 'Keep' ? 1 : 0);
  });

  it('warns of a session that the provider cannot end, and lets the next user choose an account', async () => {
    const visitor = await visitors.visit();
    await visitor.context.route(`${provider()}/.well-known/openid-configuration`, async (route) => {
      const response = await route.fetch();
      const { end_session_endpoint: _none, ...rest } = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: rest });
    });
    const page = await visitor.signIn('buyer');
    await signOut(page);
    await page.getByText('may still be signed in at the identity provider').waitFor();
    await page.goto(portalUrl('/orders'));
    // Without this choice the provider would sign in the buyer again.
    await chooseUser(page, VENDOR);
    await page.getByRole('button', { name: 'Signed in as Ana Souza' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Signed in as Ana Souza' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/orders');
  });
});
