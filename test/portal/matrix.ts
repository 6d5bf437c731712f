import type { Page } from 'playwright-core';
import { eventually } from '@po/testing/eventually';
import { linesOf } from '../e2e/world.js';
import type { Api } from '../support/api-client.js';
import type { DemoUser } from '../support/stack.js';
import type { Visitor } from './visitors.js';

/** Signs in, opens an order, and waits for its lines. */
export async function openMatrix(visitor: Visitor, user: DemoUser, poRef: string): Promise<Page> {
  const page = await visitor.signIn(user, `/orders/${poRef}`);
  await page.locator('[role=grid] tfoot, main footer').first().waitFor();
  return page;
}

/** Rows and columns from 0; the price is the column after the sizes. */
export const cellOf = (page: Page, row: number, column: number) =>
  page.locator(`td[data-row="${row}"][data-column="${column}"]`);

export async function enter(page: Page, row: number, column: number, text: string): Promise<void> {
  await cellOf(page, row, column).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Current quantities from the API, by row and size. */
export const quantitiesOf = async (api: Api, poRef: string): Promise<(number | null | undefined)[][]> =>
  (await linesOf(api, poRef)).map(({ sizes, sizeOrder }) => sizeOrder.map((size) => sizes[size]?.qty));

/** Style and color of each visible row. */
export const rowsOf = (page: Page): Promise<string[]> =>
  page
    .locator('[role=grid] tbody tr')
    .evaluateAll((rows) =>
      rows
        .map((row) => [...row.querySelectorAll('[data-head]')].map((head) => head.textContent).join(' '))
        .filter((name) => name !== ''),
    );

/** Saves all edits. Waits until the portal confirms that and no cell is marked as unsaved; header fields are never marked. */
export async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Save|保存)$/ }).click();
  await page
    .getByRole('status')
    .getByText(/^(Saved|已保存)/)
    .waitFor({ state: 'attached' });
  await eventually('no cell is unsaved', async () => (await page.locator('[data-unsaved]').count()) === 0);
}
