import { describe, expect, it } from '@jest/globals';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import type { Page } from 'playwright-core';
import { historyOf } from '../../e2e/world.js';
import { BUYER, becomes, dialog, head } from '../journey.js';
import { cellOf, enter, save } from '../matrix.js';
import { NewVendor } from '../new-vendor.js';
import { screenshot } from '../screenshots.js';
import { isLive, portalTests } from '../visitors.js';

/** A tenth more is allowed, and nothing else. */
const TENTH_MORE = { ...NO_DIFFERENCE, maxQtyIncreasePercent: 10 };

const written = (page: Page, text: string) => page.locator('ol > li[id^="message-"]').getByText(text);
const write = async (page: Page, text: string) => {
  await page.locator('form').getByRole('combobox').fill(text);
  await page.keyboard.press('Control+Enter');
};

describe('two people agree on an order without leaving it', () => {
  const { visitors, world } = portalTests();

  it('a question on three cells, an answer, an edit, and a submission that is approved at once', async () => {
    const company = new NewVendor();
    await world.as('admin').put(`/approval-policies/${company.code}`, TENTH_MORE);
    const buyers = { buyer: { name: 'Marta Lind', email: 'buyer2@example.com' } };
    const { poNumber } = await world.importOrder({ vendor: company.company, ...buyers });
    const path = `/orders/${poNumber}`;
    const [vendor, buyer] = await Promise.all([
      visitors.visit().then((visitor) => company.signIn(visitor, 'vendor:CRANE', path)),
      visitors.visit({ theme: 'dark' }).then((visitor) => visitor.signIn(BUYER, path)),
    ]);
    await Promise.all([isLive(vendor), isLive(buyer)]);
    await cellOf(vendor, 0, 0).click();
    await cellOf(vendor, 0, 2).click({ modifiers: ['Shift'] });
    await vendor.getByRole('button', { name: 'Ask about these 3 cells' }).click();
    await write(vendor, 'Can we make 22 of M?');

    await written(buyer, 'Can we make 22 of M?').waitFor();
    await buyer.getByRole('button', { name: /^3 cells: TS-100 · NVY · S/ }).click();
    await buyer.locator('td[data-pointed]').first().waitFor();
    await write(buyer, 'Yes, please do');
    await screenshot(buyer, 'journey-agreement-buyer-en-dark-1440');

    await written(vendor, 'Yes, please do').waitFor();
    await enter(vendor, 0, 1, '22');
    await save(vendor);
    await head(vendor).getByRole('button', { name: 'Submit', exact: true }).click();
    await dialog(vendor).getByRole('button', { name: 'Submit', exact: true }).click();
    await Promise.all([becomes(vendor, 'Confirmed'), becomes(buyer, 'Confirmed')]);
    await buyer.locator('ol > li').getByText('Automatic', { exact: true }).waitFor();
    await screenshot(vendor, 'journey-agreement-vendor-en-light-1440');
    const history = await historyOf(world.as('admin'), poNumber);
    expect(history.map(({ actorRole, action }) => `${actorRole} ${action}`)).toEqual([
      'SYSTEM APPROVE',
      'VENDOR SUBMIT',
      'SYSTEM IMPORT',
    ]);
  });
});
