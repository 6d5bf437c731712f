import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Message } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import type { Page } from 'playwright-core';
import { detailOf } from '../../e2e/world.js';
import type { DemoUser } from '../../support/stack.js';
import { accessibilityViolations, overflow } from '../accessibility.js';
import { BUYER, dialog, importFor } from '../journey.js';
import { Keyboard } from '../keyboard.js';
import { cellOf, openMatrix } from '../matrix.js';
import { screenshot } from '../screenshots.js';
import { waitUntilLive, portalTests, portalUrl } from '../visitors.js';

const VENDOR = 'vendor:BOLT';
const composer = (page: Page) => page.getByRole('form', { name: /^(Write a message|写消息)$/ });
const field = (page: Page) => composer(page).getByRole('combobox');
const post = (page: Page) =>
  composer(page)
    .getByRole('button', { name: /^(Post|发送)$/ })
    .click();
const messages = (page: Page) => page.locator('ol > li[id^="message-"]');
const internal = (page: Page) => composer(page).getByLabel('Internal');

describe('the conversation about an order', () => {
  const { visitors, world } = portalTests();

  const write = async (user: DemoUser, poRef: string, body: string, more = {}): Promise<Message> => {
    const answer = await world.as(user).post<Message>(`/purchase-orders/${poRef}/messages`, { body, ...more });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ body })]);
    return answer.body;
  };
  const written = async (user: DemoUser, poRef: string) =>
    (await world.as(user).get<Message[]>(`/purchase-orders/${poRef}/messages`)).body;

  it('shows a question about three cells and an answer with a mention live in two browsers', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    const vendor = await openMatrix(await visitors.visit(), VENDOR, poNumber);
    const buyer = await openMatrix(await visitors.visit(), BUYER, poNumber);
    await Promise.all([waitUntilLive(vendor), waitUntilLive(buyer)]);
    await cellOf(vendor, 0, 0).click();
    await cellOf(vendor, 0, 2).click({ modifiers: ['Shift'] });
    await vendor.getByRole('button', { name: 'Ask about these 3 cells' }).click();
    await field(vendor).and(vendor.locator(':focus')).waitFor();
    await vendor.keyboard.type('Can these be 10 % more?');
    expect(await accessibilityViolations(vendor)).toEqual([]);
    await vendor.keyboard.press('Control+Enter');
    await messages(vendor).getByText('Can these be 10 % more?').waitFor();
    // The list may show the message before the request is answered.
    await eventually('the field is empty', async () => (await field(vendor).inputValue()) === '');
    expect((await detailOf(world.as(VENDOR), poNumber)).version).toBe(1);

    await messages(buyer).getByText('Can these be 10 % more?').waitFor();
    await buyer.getByRole('status').getByText('New message from Ana Souza: Can these').waitFor({ state: 'attached' });
    await messages(buyer)
      .getByRole('button', { name: /^3 cells: TS-100 · NVY · S/ })
      .click();
    await cellOf(buyer, 0, 0).and(buyer.locator(':focus')).waitFor();
    expect(await buyer.locator('td[data-highlighted][aria-selected="true"]').count()).toBe(3);
    await screenshot(buyer, 'conversation-cells-en-light-1440');
    await field(buyer).pressSequentially('@ana');
    await buyer.getByRole('option', { name: 'Ana Souza Vendor BOLT' }).waitFor();
    expect(await accessibilityViolations(buyer)).toEqual([]);
    await screenshot(buyer, 'conversation-mention-en-light-1440');
    await buyer.keyboard.press('Enter');
    expect(await field(buyer).inputValue()).toBe('@Ana Souza ');
    await buyer.keyboard.type('yes, for all of them');
    await buyer.keyboard.press('Control+Enter');
    await messages(vendor).getByText('yes, for all of them').waitFor();
    await messages(vendor).locator('b[data-me]').getByText('@Ana Souza').waitFor();
    const [answer, question] = await written(VENDOR, poNumber);
    expect([answer?.mentions, answer?.visibility]).toEqual([[{ userId: 'demo-bolt', name: 'Ana Souza' }], 'all']);
    expect(question?.rows.map(({ color, size }) => `${color} ${size}`)).toEqual(['NVY S', 'NVY M', 'NVY L']);
  });

  it('hides internal messages from the vendor and asks before it shows a text to the vendor', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    const vendor = await openMatrix(await visitors.visit(), VENDOR, poNumber);
    const buyer = await openMatrix(await visitors.visit({ theme: 'dark' }), BUYER, poNumber);
    await waitUntilLive(vendor);
    expect(await internal(vendor).count()).toBe(0);
    await internal(buyer).check();
    await composer(buyer).getByText('Internal: only your company sees this').waitFor();
    await field(buyer).fill('They are late again');
    await internal(buyer).click();
    await dialog(buyer).getByText('Show this text to the vendor?').waitFor();
    await dialog(buyer).getByRole('button', { name: 'Keep it internal' }).last().click();
    await dialog(buyer).waitFor({ state: 'detached' });
    expect(await internal(buyer).isChecked()).toBe(true);
    await post(buyer);
    await messages(buyer).getByText('They are late again').waitFor();
    await messages(buyer).getByText('Internal: only your company sees this').waitFor();
    expect(await internal(buyer).isChecked()).toBe(true);
    expect(await accessibilityViolations(buyer)).toEqual([]);
    await screenshot(buyer, 'conversation-internal-en-dark-1440');

    await field(buyer).fill('When do you ship?');
    await internal(buyer).click();
    await dialog(buyer).getByRole('button', { name: 'Make it visible to the vendor' }).click();
    await post(buyer);
    await messages(vendor).getByText('When do you ship?').waitFor();
    expect(await messages(vendor).count()).toBe(1);
    await vendor.reload();
    await messages(vendor).getByText('When do you ship?').waitFor();
    expect(await vendor.getByText('They are late again').count()).toBe(0);
    expect((await written(VENDOR, poNumber)).map(({ visibility }) => visibility)).toEqual(['all']);
    const { id } = (await written(BUYER, poNumber)).find(({ visibility }) => visibility === 'internal') ?? {};
    const visitor = await visitors.visit();
    visitor.expect(/status of 404/);
    const lost = await visitor.signIn(VENDOR, `/orders/${poNumber}#message-${id}`);
    await lost.getByRole('alert').getByText('This message does not exist').waitFor();
  });

  it('loads and highlights a linked old message and marks the new messages', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    const first = await write(BUYER, poNumber, 'The very first');
    for (let number = 1; number <= 60; number += 1) await write(BUYER, poNumber, `Message ${number}`);
    const page = await (await visitors.visit()).signIn(VENDOR, `/orders/${poNumber}#message-${first.id}`);
    const led = page.locator('li[data-link-target]');
    await led.getByText('The very first').waitFor();
    expect(await led.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByText('New since your last visit').count()).toBe(0);
    // Reading the newest message marks all messages as seen.
    await messages(page).first().scrollIntoViewIfNeeded();
    await eventually('the last seen message is stored', () =>
      page.evaluate((poRef) => Object.values(localStorage).some((kept) => String(kept).includes(poRef)), poNumber),
    );
    await page.goto(portalUrl('/orders'));
    await write(BUYER, poNumber, 'One more');
    await write(BUYER, poNumber, 'And another');
    await page.goto(portalUrl(`/orders/${poNumber}`));
    await page.getByText('New since your last visit: 2').waitFor();
    const above = await page
      .locator('ol > li')
      .filter({ has: page.getByText('New since your last visit: 2') })
      .innerText();
    expect(above).toContain('One more');
    await page.getByText('Changes', { exact: true }).click();
    expect([await messages(page).count(), await page.locator('ol > li').count()]).toEqual([0, 1]);
    await page.getByText('Messages', { exact: true }).click();
    expect([await messages(page).count(), await page.locator('ol > li').count()]).toEqual([5, 5]);
  });

  it('is opened from the bell and answered by keyboard alone', async () => {
    const { poNumber } = await importFor(world, 'BOLT');
    const { body: items } = await world
      .as(VENDOR)
      .get<{ sizes: Record<string, { rowHash: string }> }[]>(`/purchase-orders/${poNumber}/line-items`);
    const rows = Object.values(items[1]?.sizes ?? {}).map(({ rowHash }) => rowHash);
    const question = `Is red right? ${randomUUID()}`;
    const visitor = await visitors.visit();
    const keyboard = await Keyboard.signIn(visitor, VENDOR);
    const { page } = keyboard;
    await waitUntilLive(page);
    await write(BUYER, poNumber, question, { rows });
    await keyboard.tabTo(page.getByRole('button', { name: /^Notifications/ }));
    await keyboard.press('Enter');
    const item = page.getByRole('dialog', { name: 'Notifications' }).getByRole('link').filter({ hasText: question });
    await item.getByRole('img', { name: 'Message' }).waitFor();
    await keyboard.tabTo(item);
    await keyboard.press('Enter');
    await page.locator('li[data-link-target]:focus').getByText(question).waitFor();
    await keyboard.tabTo(messages(page).getByRole('button', { name: '1 cell: TS-100 · RED · M' }));
    await keyboard.press('Enter');
    await cellOf(page, 1, 1).and(page.locator(':focus')).waitFor();
    await keyboard.tabTo(field(page));
    await keyboard.type('Yes @mar');
    await page.getByRole('option', { name: 'Marta Lind' }).waitFor();
    await keyboard.press('Enter');
    await keyboard.press('Control+Enter');
    await messages(page).getByText('Yes @Marta Lind').waitFor();
    expect(await keyboard.requireFocus()).toContain('Message');
  });

  it.each([
    ['en', VENDOR, 'light'],
    ['zh', 'vendor:ACME', 'dark'],
  ] as const)('fits a phone and has no accessibility violations: %s', async (language, user, theme) => {
    const { poNumber } = await importFor(world, user === VENDOR ? 'BOLT' : 'ACME');
    await write(BUYER, poNumber, `${'A long answer with https://example.com/'}${'x'.repeat(200)} ${randomUUID()}`);
    const visitor = await visitors.visit({ width: 360, height: 740, language, theme });
    const page = await openMatrix(visitor, user, poNumber);
    await messages(page).first().waitFor();
    await page.getByRole('button', { name: language === 'en' ? 'Ask about TS-100 RED' : '就 TS-100 RED 提问' }).click();
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(language === 'en' ? 'Why? @' : '请问 @');
    await page.getByRole('option').first().waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, `conversation-${language}-${theme}-360`);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    await post(page);
    const chip = messages(page)
      .first()
      .getByRole('button', { name: language === 'en' ? /^1 cell: / : /^1 个单元格：/ });
    await chip.click();
    await page.locator('[data-highlighted]:focus').waitFor();
    // For axe, elements half behind the page header are too small.
    expect(await accessibilityViolations(page, 'ol')).toEqual([]);
  });
});
