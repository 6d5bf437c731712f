import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { detailOf } from '../../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { cellOf, enter, openMatrix } from '../matrix.js';
import { BOLT } from '../orders-list.js';
import { repliesOf } from '../spreadsheets.js';
import { portalTests } from '../visitors.js';

const VENDOR = 'vendor:BOLT';
const OFFLINE = /ERR_(INTERNET_DISCONNECTED|FAILED|ABORTED|NETWORK_CHANGED|INCOMPLETE)/;
/** Number of attempts of the portal for a write without an answer. */
const ATTEMPTS = 3;
const NO_ANSWER = 'Check your connection, then try again.';

describe('an interruption', () => {
  const { visitors, world } = portalTests();
  const bolt = () => world.as(VENDOR);

  const open = async () => {
    const { poNumber } = await world.importOrder(BOLT);
    const visitor = await visitors.visit();
    visitor.expect(OFFLINE, /toasts-/, /status of 412/);
    return { poNumber, visitor, page: await openMatrix(visitor, VENDOR, poNumber) };
  };
  const factory = (page: Page) => page.getByLabel('Reply factory');
  const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });
  const notice = (page: Page) => page.getByRole('region', { name: 'What changed in the meantime' });
  const isSaved = (page: Page) => bar(page).waitFor({ state: 'detached' });
  /** Saved values and number of saves. */
  const present = async (poRef: string) => {
    const { version, vendorReplyFactory } = await detailOf(bolt(), poRef);
    return { saves: version - 1, factory: vendorReplyFactory, replies: await repliesOf(bolt(), poRef) };
  };

  it('of the connection delays a save, which is then executed once', async () => {
    const { poNumber, visitor, page } = await open();
    await factory(page).fill('Hefei 9');
    await enter(page, 0, 0, '11');
    await visitor.context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('It will be saved when you are online.').waitFor();
    await page.keyboard.press('Control+s');
    await enter(page, 0, 1, '22');
    expect(await present(poNumber)).toEqual({ saves: 0, factory: null, replies: [null, null, null] });
    await visitor.context.setOffline(false);
    // Edits after the save are still unsaved.
    await page.getByText('1 unsaved change').waitFor();
    // Another save can begin only after this one.
    await bar(page).getByRole('button', { name: 'Discard', disabled: false }).waitFor();
    expect(await factory(page).inputValue()).toBe('Hefei 9');
    expect(await present(poNumber)).toEqual({ saves: 2, factory: 'Hefei 9', replies: [11, null, null] });
    await page.keyboard.press('Control+s');
    await isSaved(page);
    expect(await present(poNumber)).toEqual({ saves: 3, factory: 'Hefei 9', replies: [11, 22, null] });
  });

  it('that loses the answer to a save keeps the edits until the outcome is known and saves them once', async () => {
    const { poNumber, page } = await open();
    await factory(page).fill('Hefei 9');
    await enter(page, 0, 0, '11');
    const answers = { lost: 0, isAway: false };
    await page.route('**/api/**', async (route, request) => {
      if (request.method() !== 'PATCH' || answers.lost === 0) return answers.isAway ? route.abort() : route.continue();
      const response = await route.fetch();
      if (!response.ok()) return route.fulfill({ response });
      answers.lost -= 1;
      return route.abort();
    });
    // A retry with the same idempotency key gets the result of the first attempt.
    answers.lost = 1;
    await page.keyboard.press('Control+s');
    await isSaved(page);
    expect(await present(poNumber)).toEqual({ saves: 2, factory: 'Hefei 9', replies: [11, null, null] });
    // Without any answer the portal sees its save when it reads the order again, and reports no change by another user.
    await factory(page).fill('Hefei 7');
    await enter(page, 0, 1, '22');
    const said22 = await cellOf(page, 0, 1).innerText();
    answers.lost = ATTEMPTS;
    await page.keyboard.press('Control+s');
    await bar(page).getByRole('alert').getByText(NO_ANSWER).waitFor();
    await bar(page).getByText('1 unsaved change').waitFor();
    expect(await notice(page).count()).toBe(0);
    expect(await present(poNumber)).toEqual({ saves: 3, factory: 'Hefei 7', replies: [11, null, null] });
    // If the order cannot be read either, the edits stay, and the user can save again.
    Object.assign(answers, { lost: ATTEMPTS, isAway: true });
    await page.keyboard.press('Control+s');
    await eventually('the lines are saved', async () => (await present(poNumber)).saves === 4);
    await bar(page).getByRole('alert').getByText(NO_ANSWER).waitFor();
    expect(await cellOf(page, 0, 1).innerText()).toBe(said22);
    Object.assign(answers, { lost: 0, isAway: false });
    await page.keyboard.press('Control+s');
    await isSaved(page);
    expect(await notice(page).count()).toBe(0);
    expect(await present(poNumber)).toEqual({ saves: 4, factory: 'Hefei 7', replies: [11, 22, null] });
  });

  it('of the connection during a reload loses no edits', async () => {
    const { poNumber, visitor, page } = await open();
    await factory(page).fill('Hefei 9');
    await enter(page, 0, 0, '11');
    const address = page.url();
    await visitor.context.setOffline(true);
    await cellOf(page, 0, 1).click();
    await page.keyboard.type('22');
    await expect(page.reload()).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    await visitor.context.setOffline(false);
    await page.goto(address);
    await page.getByText('3 unsaved changes').waitFor();
    expect(await factory(page).inputValue()).toBe('Hefei 9');
    expect(await present(poNumber)).toEqual({ saves: 0, factory: null, replies: [null, null, null] });
    await page.keyboard.press('Control+s');
    await isSaved(page);
    expect(await present(poNumber)).toEqual({ saves: 2, factory: 'Hefei 9', replies: [11, 22, null] });
  });
});
