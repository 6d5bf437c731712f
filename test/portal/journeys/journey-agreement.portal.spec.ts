import { describe, expect, it } from '@jest/globals';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import type { Page } from 'playwright-core';
import { historyOf } from '../../e2e/world.js';
import { BUYER, becomes, dialog, head, speakChinese } from '../journey.js';
import { cellOf, save } from '../matrix.js';
import { NewVendor } from '../new-vendor.js';
import { screenshot } from '../screenshots.js';
import { isLive, portalTests } from '../visitors.js';

/** A tenth more is allowed, and nothing else. */
const TENTH_MORE = { ...NO_DIFFERENCE, maxQtyIncreasePercent: 10 };

const WORDS = {
  en: {
    vendor: 'vendor:CRANE',
    ask: 'Ask about these 3 cells',
    question: 'Can we make 22 of M?',
    chip: /^3 cells: TS-100 · NVY · S/,
    answer: 'Yes, please do',
    submit: 'Submit',
    confirmed: 'Confirmed',
    automatic: 'Automatic',
  },
  zh: {
    vendor: 'vendor:ACME',
    ask: '就这 3 个单元格提问',
    question: 'M 码可以做 22 件吗？',
    chip: /^3 个单元格: TS-100 · NVY · S/,
    answer: '没问题',
    submit: '提交',
    confirmed: '已确认',
    automatic: '自动',
  },
} as const;

const written = (page: Page, text: string) => page.locator('ol > li[id^="message-"]').getByText(text);
const write = async (page: Page, text: string) => {
  await page.locator('form').getByRole('combobox').fill(text);
  await page.keyboard.press('Control+Enter');
};

describe('two people agree on an order without leaving it', () => {
  const { visitors, world } = portalTests();

  it.each(['en', 'zh'] as const)(
    'a question on three cells, an answer, an edit, and a submission that is approved at once: %s',
    async (language) => {
      const words = WORDS[language];
      const company = new NewVendor();
      await world.as('admin').put(`/approval-policies/${company.code}`, TENTH_MORE);
      const buyers = { buyer: { name: 'Marta Lind', email: 'buyer2@example.com' } };
      const { poNumber } = await world.importOrder({ vendor: company.company, ...buyers });
      const path = `/orders/${poNumber}`;
      const [vendor, buyer] = await Promise.all([
        visitors.visit({ language }).then((visitor) => company.signIn(visitor, words.vendor, path)),
        visitors.visit({ theme: 'dark' }).then((visitor) => visitor.signIn(BUYER, path)),
      ]);
      if (language === 'zh') await speakChinese(buyer);
      await Promise.all([isLive(vendor), isLive(buyer)]);
      await cellOf(vendor, 0, 0).click();
      await cellOf(vendor, 0, 2).click({ modifiers: ['Shift'] });
      await vendor.getByRole('button', { name: words.ask }).click();
      await write(vendor, words.question);

      await written(buyer, words.question).waitFor();
      await buyer.getByRole('button', { name: words.chip }).click();
      await buyer.locator('td[data-pointed]').first().waitFor();
      await write(buyer, words.answer);
      await screenshot(buyer, `journey-agreement-buyer-${language}-dark-1440`);

      await written(vendor, words.answer).waitFor();
      await cellOf(vendor, 0, 1).click();
      await vendor.keyboard.type('22');
      await vendor.keyboard.press('Enter');
      await save(vendor);
      await head(vendor).getByRole('button', { name: words.submit, exact: true }).click();
      await dialog(vendor).getByRole('button', { name: words.submit, exact: true }).click();
      await Promise.all([becomes(vendor, words.confirmed), becomes(buyer, words.confirmed)]);
      await buyer.locator('ol > li').getByText(words.automatic, { exact: true }).waitFor();
      await screenshot(vendor, `journey-agreement-vendor-${language}-light-1440`);
      const history = await historyOf(world.as('admin'), poNumber);
      expect(history.map(({ actorRole, action }) => `${actorRole} ${action}`)).toEqual([
        'SYSTEM APPROVE',
        'VENDOR SUBMIT',
        'SYSTEM IMPORT',
      ]);
    },
  );
});
