import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { act } from '../../e2e/world.js';
import { type Api, apiClient } from '../../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { tokenOf } from '../../support/tokens.js';
import { accessibilityViolations } from '../accessibility.js';
import { BUYER, waitForStatus, dialog, head, importFor } from '../journey.js';
import { type OwnGateway, startOwnGateway } from '../own-gateway.js';
import { screenshot } from '../screenshots.js';
import { type Visitor, goTo, portalTests } from '../visitors.js';

/**
 * Without Redis the gateway counts on its own. With it, an answer that takes longer than 50 ms makes the gateway count from zero for a
 * while, and accept what the test expects to be refused.
 */
const SETTINGS = {
  RATE_LIMIT_READS_PER_MINUTE: '80',
  RATE_LIMIT_WRITES_PER_MINUTE: '3',
  REDIS_URL: 'redis://127.0.0.1:1',
};
const MINUTE_MS = 60_000;

describe('a refusal of the API', () => {
  const { visitors, world } = portalTests();

  it('covers everything for a vendor user who is not linked to a vendor', async () => {
    const visitor = await visitors.visit({ theme: 'dark' });
    visitor.expect(/status of 403/);
    await visitor.useToken(await tokenOf('vendor:ACME', { vendor_code: null }));
    const page = await visitor.signIn('vendor:ACME');
    await page.getByRole('alert').getByRole('heading', { name: '您无权查看此内容' }).waitFor();
    expect(await page.getByRole('alert').getByRole('button', { name: '重试' }).count()).toBe(0);
    await screenshot(page, 'forbidden-zh-dark-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  describe('by the rate limit', () => {
    let gateway: OwnGateway;
    beforeAll(async () => {
      gateway = await startOwnGateway(SETTINGS);
    });
    afterAll(() => gateway.stop());
    /** Makes the visitor a new user for the API, so that no requests are counted, as after a minute. */
    const startMinute = async (visitor: Visitor): Promise<Api> => {
      const token = await tokenOf(BUYER, { sub: `patient-${randomUUID()}` });
      await visitor.useToken(token);
      return apiClient(gateway.url, token);
    };
    /** Starts a new minute and sends requests until one is refused. */
    const exhaust = async (visitor: Visitor, kind: 'read' | 'write') => {
      const api = await startMinute(visitor);
      const send = () => (kind === 'read' ? api.get('/purchase-orders/-') : api.put('/notifications/-/read'));
      await eventually('a request is refused', async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, send));
        return answers.some(({ status }) => status === 429);
      });
    };

    it('ends after a minute, and no typed text is lost', async () => {
      const { poNumber } = await importFor(world, 'BOLT');
      await act(world.as('vendor:BOLT'), poNumber, 'SUBMIT');
      const visitor = await visitors.visit();
      visitor.expect(/status of 429/, /ERR_FAILED/);
      await startMinute(visitor);
      // A reconnected live stream would load everything again before the user retries.
      await visitor.context.route('**/api/notifications/stream*', (route) => route.abort());
      const page = await visitor.signIn(BUYER, `/orders/${poNumber}`, gateway.url);
      const alert = page.getByRole('alert');
      const wait = alert.getByText(/Try again in \d+ s/).first();
      const over = alert.getByText('You can try again now').first();
      const approve = dialog(page).getByRole('button', { name: 'Approve' });
      await page.clock.install();
      const minutePasses = () =>
        eventually('the minute is over', async () => {
          await page.clock.runFor(MINUTE_MS);
          return over.isVisible();
        });
      await head(page).getByRole('button', { name: 'Approve' }).click();
      await dialog(page).getByRole('textbox').fill('Agreed');
      // A second refusal is shown like the first.
      for (const time of ['first', 'second']) {
        await exhaust(visitor, 'write');
        await approve.click();
        await wait.waitFor();
        await screenshot(page, `too-many-${time}-en-light-1440`);
        await minutePasses();
      }
      expect(await dialog(page).getByRole('textbox').inputValue()).toBe('Agreed');
      await startMinute(visitor);
      await approve.click();
      await waitForStatus(page, 'Confirmed');
      await page.locator('ol > li').first().getByText('Agreed').waitFor();

      await exhaust(visitor, 'read');
      await goTo(page, '/orders');
      await wait.waitFor();
      const again = alert.getByRole('button', { name: 'Try again' }).first();
      expect(await again.isDisabled()).toBe(true);
      await minutePasses();
      await startMinute(visitor);
      await again.click();
      await page.getByRole('heading', { name: 'Too many requests' }).first().waitFor({ state: 'detached' });
    });
  });
});
