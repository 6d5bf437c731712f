import { describe, expect, it } from '@jest/globals';
import { act } from '../../e2e/world.js';
import { accessibilityViolations } from '../accessibility.js';
import { waitForStatus, importFor, offeredActions } from '../journey.js';
import { rowOf } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { goTo, portalTests } from '../visitors.js';

describe('a viewer', () => {
  const { visitors, world } = portalTests();

  it('sees everything and is offered no action', async () => {
    const { poNumber } = await importFor(world, 'ACME');
    await act(world.as('vendor:ACME'), poNumber, 'SUBMIT', 'Please look');
    const page = await (await visitors.visit()).signIn('viewer');
    await rowOf(page, poNumber).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page
      .getByText(/^\d+ selected$/)
      .first()
      .waitFor();
    expect(
      await page
        .locator('footer')
        .getByRole('button', { name: /Submit|Approve|Cancel|Recall/ })
        .count(),
    ).toBe(0);
    await goTo(page, `/orders/${poNumber}`);
    await waitForStatus(page, 'Pending Approval');
    await page.locator('ol > li').first().getByText('Please look').waitFor();
    await page.locator('[role=grid][aria-readonly=true]').waitFor();
    expect(await offeredActions(page)).toEqual([]);
    expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Save|Discard|Ask about/ }).count()).toBe(0);
    await screenshot(page, 'journey-viewer-en-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
