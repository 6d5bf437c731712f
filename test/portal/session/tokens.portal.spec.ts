import { describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import {
  type Visitor,
  chooseUser,
  endSession,
  expireSession,
  waitUntilLive,
  portalTests,
  portalUrl,
  provider,
  watchTokens,
} from '../visitors.js';

const ORDER = '/orders/PO-4500018208';
/** Token lifetime. A token is renewed a minute before it expires. */
const SHORT_S = 63;
/** Token lifetime that causes an immediate renewal, but suffices for the page to load its data. */
const ENDS_S = 20;

describe('a token of the portal', () => {
  const { visitors } = portalTests();

  it('is renewed silently before it expires', async () => {
    const visitor = await visitors.visit();
    let given = 0;
    await visitor.context.route(`${provider()}/token`, async (route) => {
      given += 1;
      const response = await route.fetch();
      const body = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: { ...body, expires_in: SHORT_S } });
    });
    const tokens = watchTokens(visitor.page);
    const page = await visitor.signIn('buyer', ORDER);
    await page.locator('[role=grid] tfoot').waitFor();
    await page.evaluate(() => Object.assign(globalThis, { stayed: true }));
    await eventually('another token was issued', () => given > 1);
    await eventually('the new token is used', async () => {
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.getByRole('link', { name: 'Orders' }).first().click();
      return tokens.length > 1;
    });
    expect(await page.evaluate(() => 'stayed' in globalThis)).toBe(true);
  });

  it('that the API refuses is renewed, and the request is repeated', async () => {
    const visitor = await visitors.visit();
    visitor.expect(/status of 401/);
    const page = await visitor.signIn('buyer');
    await page.locator('tbody tr').first().waitFor();
    let broken = 0;
    await page.route('**/api/purchase-orders/**', async (route, request) => {
      const headers = request.headers();
      broken += 1;
      await route.continue(
        broken > 1 ? {} : { headers: { ...headers, 'x-user-token': `${headers['x-user-token']}x` } },
      );
    });
    await page.locator('tbody a').first().click();
    await page.locator('[role=grid] tfoot').waitFor();
    expect(broken).toBeGreaterThan(1);
  });

  it('that cannot be renewed ends the session in a dialog above the page, and sign-in leads back to it', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('buyer', `${ORDER}#from-here`);
    await page.locator('[role=grid] tfoot').waitFor();
    await expireSession(visitor, page);
    await page.goBack();
    await page.locator('[role=grid] tfoot').waitFor();
    await page.unrouteAll();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await chooseUser(page, 'buyer');
    await page.locator('[role=grid] tfoot').waitFor();
    expect(page.url()).toBe(portalUrl(`${ORDER}#from-here`));
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('that cannot be renewed lets the page continue with its unsaved edits after a sign-in in another tab', async () => {
    const visitor = await visitors.visit();
    const page = await visitor.signIn('viewer', '/preferences');
    const reminders = page.getByRole('radiogroup', { name: 'Reminders' });
    await reminders.getByText('Off', { exact: true }).click();
    await waitUntilLive(page);
    await endSession(visitor, page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('sign in in another tab').waitFor();
    await page.unrouteAll();
    const tab = await visitor.openTab();
    await tab.goto(portalUrl('/orders'));
    await chooseUser(tab, 'viewer');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const one of [page, tab]) {
      await waitUntilLive(one);
      await one.getByRole('button', { name: 'Signed in as Kim Park' }).waitFor();
    }
    expect(await reminders.getByRole('radio', { name: 'Off' }).isChecked()).toBe(true);
  });

  /** Signs in with a token that expires soon. After that the provider leaves `times` requests in a frame unanswered. */
  const signInBeforeSilence = async (times: number) => {
    const visitor = await visitors.visit();
    // The library reports a renewal that times out.
    visitor.expect(/timed? ?out/i);
    let given = 0;
    let silences = 0;
    await visitor.context.route(`${provider()}/token`, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as object;
      given += 1;
      await route.fulfill({ response, json: given === 1 ? { ...body, expires_in: ENDS_S } : body });
    });
    await visitor.context.route(
      (url) => url.href.startsWith(`${provider()}/authorize?`) && url.searchParams.get('prompt') === 'none',
      (route) => {
        if (given === 0 || silences === times) return route.continue();
        silences += 1;
        return;
      },
    );
    return { page: await visitor.signIn('buyer', ORDER), given: () => given };
  };

  it('is requested once more if the first frame gets no answer; if none does, the session ends when the token expires', async () => {
    // As after sleep mode; and as with `frame-ancestors 'none'` (CSP), where a frame never gets an answer. Both wait at the same time.
    const [once, never] = await Promise.all([signInBeforeSilence(1), signInBeforeSilence(Number.POSITIVE_INFINITY)]);
    await eventually('another token was issued', () => once.given() > 1);
    await never.page.getByRole('dialog').getByText('Your session has ended').waitFor();
    expect(never.page.url()).toBe(portalUrl(ORDER));
    expect(await once.page.getByRole('dialog').count()).toBe(0);
  });

  const outages: [string, (visitor: Visitor) => Promise<() => Promise<void>>][] = [
    [
      'the browser was offline',
      async ({ context, page }) => {
        await context.setOffline(true);
        await page.getByText('You are offline.').waitFor();
        return () => context.setOffline(false);
      },
    ],
    [
      'only the provider was unreachable',
      async ({ context }) => {
        const discovery = `${provider()}/.well-known/**`;
        await context.route(discovery, (route) => route.abort());
        return () => context.unroute(discovery);
      },
    ],
  ];
  it.each(outages)('that expired while %s is renewed later, and the live stream resumes', async (_what, begin) => {
    const visitor = await visitors.visit();
    // Other requests of the page fail too.
    visitor.expect(
      /timed? ?out|ERR_FAILED|ERR_INTERNET_DISCONNECTED|CORS request did not succeed|preload|status of 503/i,
    );
    let isAway = false;
    await visitor.context.route('**/api/notifications/stream*', (route) => route.fulfill({ status: 503 }));
    let renewals = 0;
    await visitor.context.route(`${provider()}/token`, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as object;
      isAway = renewals === 0;
      await route.fulfill({ response, json: isAway ? { ...body, expires_in: ENDS_S } : body });
    });
    await visitor.context.route(
      (url) => url.href.startsWith(`${provider()}/authorize?`) && url.searchParams.get('prompt') === 'none',
      (route) => {
        if (!isAway) return route.continue();
        renewals += 1;
        return route.abort();
      },
    );
    const page = await visitor.signIn('buyer', ORDER);
    const end = await begin(visitor);
    // Before the token ends, when it ends, and once more after that.
    await eventually('a token is requested again', () => renewals > 2);
    await visitor.context.unroute('**/api/notifications/stream*');
    await end();
    // The frame of the last request stays without an answer.
    isAway = false;
    await waitUntilLive(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
