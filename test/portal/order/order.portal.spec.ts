import { describe, expect, it } from '@jest/globals';
import { act, detailOf, historyOf } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { accessibilityViolations, overflow } from '../accessibility.js';
import { cellOf } from '../matrix.js';
import { waitForStatus, dialog } from '../journey.js';
import { BOLT } from '../orders-list.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests, portalUrl } from '../visitors.js';

describe('the page of an order', () => {
  const { visitors, world } = portalTests();

  it('keeps a value that the API refuses and shows the reason at its field', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    const visitor = await visitors.visit();
    visitor.expect(/status of 4(00|22)/);
    const page = await visitor.signIn('vendor:BOLT', `/orders/${poNumber}`);
    const date = page.getByLabel('Reply ex-factory');
    await date.fill('2025-12-31');
    await page.getByLabel('Container').fill('C-1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually('the field is invalid', async () => (await date.getAttribute('aria-invalid')) === 'true');
    await page.getByText('2 unsaved changes').waitFor();
    await screenshot(page, 'order-field-error-en-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
    const { version, containerNumber } = await detailOf(world.as('vendor:BOLT'), poNumber);
    expect([version, containerNumber]).toEqual([1, null]);
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Container').inputValue()).toBe('');
  });

  it('submits with a comment, but only after unsaved edits are saved', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    const page = await (await visitors.visit()).signIn('vendor:BOLT', `/orders/${poNumber}`);
    await page.getByLabel('Vendor comment').fill('Two days more');
    await cellOf(page, 0, 0).click();
    await page.keyboard.type('x');
    await page.getByRole('button', { name: 'Submit' }).click();
    await dialog(page).getByText('2 changes are not saved yet.').waitFor();
    await dialog(page).getByRole('button', { name: 'Show' }).click();
    await cellOf(page, 0, 0).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Submit' }).click();
    const confirm = dialog(page).getByRole('button', { name: 'Submit' });
    await dialog(page).getByText('You can undo it with “Recall”.').waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByText('not saved').waitFor({ state: 'detached' });
    expect(await dialog(page).getByRole('alert').count()).toBe(0);
    await dialog(page).getByLabel('Comment').fill('Please approve');
    await screenshot(page, 'act-submit-en-light-1440');
    expect(await accessibilityViolations(page)).toEqual([]);
    await confirm.click();
    await waitForStatus(page, 'Pending Approval');
    await page.getByRole('alert').getByText('You can undo it with “Recall”.').waitFor();
    const timeline = page.locator('ol > li').first();
    await timeline.getByText('Please approve').waitFor();
    await timeline.getByText('Two days more').waitFor();
    const [entry] = await historyOf(world.as('vendor:BOLT'), poNumber);
    expect([entry?.action, entry?.comment, entry?.changes?.header]).toEqual([
      'SUBMIT',
      'Please approve',
      [{ field: 'vendorReplyComment', from: null, to: 'Two days more' }],
    ]);
    expect(entry?.changes?.lines).toMatchObject([{ color: 'NVY', size: 'S', field: 'qty', from: 10, to: 12 }]);
    expect((await detailOf(world.as('vendor:BOLT'), poNumber)).version).toBe(4);
    expect(await page.getByLabel('Vendor comment').count()).toBe(0);
  });

  it('separates destructive actions and executes them only after a confirmation', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    await act(world.as('vendor:BOLT'), poNumber, 'SUBMIT');
    const page = await (await visitors.visit({ theme: 'dark' })).signIn('buyer', `/orders/${poNumber}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await page.getByRole('button', { name: 'Reject' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel…' }).click();
    await dialog(page).getByText('This cannot be undone.').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Reject…' }).click();
    await dialog(page).getByLabel('Comment').fill('Too late');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.reload();
    expect((await detailOf(world.as('buyer'), poNumber)).version).toBe(2);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Reject…' }).click();
    expect(await dialog(page).getByLabel('Comment').inputValue()).toBe('Too late');
    await dialog(page).getByLabel('Comment').press('Control+Enter');
    await waitForStatus(page, 'In Revision');
    expect((await historyOf(world.as('buyer'), poNumber))[0]).toMatchObject({ action: 'REJECT', comment: 'Too late' });
  });
});

describe('the timeline of an order', () => {
  const { visitors, world } = portalTests();

  it('loads in steps, filters by kind, updates live, and opens a linked entry', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    const vendor = world.as('vendor:BOLT');
    for (let round = 0; round < 5; round += 1) {
      await act(vendor, poNumber, 'SUBMIT');
      await act(vendor, poNumber, 'RECALL', `Round ${round}`);
    }
    const page = await (await visitors.visit()).signIn('buyer', `/orders/${poNumber}`);
    const entries = page.locator('ol > li');
    await entries.getByText('Round 4').waitFor();
    expect(await entries.count()).toBe(5);
    await page.getByRole('button', { name: 'Show 5 more' }).click();
    expect(await entries.count()).toBe(10);
    await page.getByRole('button', { name: 'Show 1 more' }).click();
    expect(await entries.count()).toBe(11);
    await page.getByText('Messages', { exact: true }).click();
    await page.getByText('No messages yet.').waitFor();
    expect(await entries.count()).toBe(0);
    await page.getByText('Changes', { exact: true }).click();
    expect(await entries.count()).toBe(5);
    await waitUntilLive(page);
    await act(vendor, poNumber, 'SUBMIT', 'Now really');
    await entries.getByText('Now really').waitFor();
    const oldest = (await historyOf(vendor, poNumber)).at(-1)?.id;
    await page.goto(portalUrl(`/orders/${poNumber}#entry-${oldest}`));
    await page.locator('li[data-link-target]').getByText('Import').waitFor();
    expect(await page.locator('li[data-link-target]').evaluate((entry) => entry === document.activeElement)).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is printed with full comments and without controls', async () => {
    const { poNumber } = await world.importOrder(BOLT);
    await act(world.as('vendor:BOLT'), poNumber, 'SUBMIT', 'The mill is nine days late. '.repeat(30));
    const page = await (await visitors.visit()).signIn('buyer', `/orders/${poNumber}`);
    const comment = page.getByRole('region', { name: 'Latest comment' }).getByText('The mill');
    const hidden = () => comment.evaluate((element) => element.scrollHeight - element.clientHeight);
    await comment.waitFor();
    expect(await hidden()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    expect(await hidden()).toBe(0);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole('grid').isVisible()).toBe(true);
  });
});
