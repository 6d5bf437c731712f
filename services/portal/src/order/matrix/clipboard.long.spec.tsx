/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { LineItem } from '../../api/schemas.js';
import { CELLS, cellAt, orderOf, setGridHeight, setWidth, showMatrix, typed } from '../../fixtures/matrix-part.js';
import { TEXTS } from '../../storage/use-stored.js';
import { line } from '../lines/sample-lines.js';

const PRICED = orderOf('vendorReplyQty', 'vendorReplyUnitPrice');

/** Shows these lines with editable prices. Returns functions that use the clipboard. */
async function showPriced(...items: LineItem[]) {
  showMatrix(PRICED, items);
  const grid = await screen.findByRole('grid');
  return {
    copied: () => {
      const setData = jest.fn();
      fireEvent.copy(grid, { clipboardData: { setData } });
      return setData.mock.lastCall?.[1];
    },
    paste: (text: string) => fireEvent.paste(grid, { clipboardData: { getData: () => text } }),
  };
}

beforeAll(() => void setGridHeight());
beforeEach(() => TEXTS.set(CELLS, ''));
afterEach(() => void setWidth(1024));

/** The unsaved values without their cells. */
const prices = () => typed().map(([, price]) => price);

describe('the copied and pasted cells of an order', () => {
  it('do not change if they are pasted back as they were copied', async () => {
    // The sizes differ in price: the copied price is their mean.
    const { copied, paste } = await showPriced({
      ...line({ color: 'BLUE', sizes: { S: 10, M: 20 } }),
      originalUnitPrice: 1.125,
      originalPricesDiffer: true,
    });
    paste('10\t20\t1.1250');
    expect(copied()).toBe('10\t20\t1.1250');
    // A spreadsheet drops the last zero.
    paste('10\t20\t1.125');
    expect(typed()).toEqual([]);
    paste('10\t21\t1.1250');
    expect(typed()).toEqual([['quantity:S/BLUE/M', 21]]);
  });

  it('keep a pasted price as text if its point may separate thousands, also when it is copied and filled on', async () => {
    const items = ['A', 'B', 'C', 'D'].map((color) => line({ color, sizes: { S: 10 } }));
    const { copied, paste } = await showPriced(...items);
    await userEvent.click(cellAt(0, 1));
    paste('125.000\n0.125\n1.2500');
    expect(prices()).toEqual(['125.000', 0.125, 1.25]);
    expect(copied()).toBe('125.000\n0.1250\n1.25');
    await userEvent.keyboard('{Control>}d{/Control}');
    expect(prices()).toEqual(['125.000', '125.000', '125.000']);
    await userEvent.click(cellAt(0, 1));
    expect(await screen.findByText(/^Unclear: /)).toBeTruthy();
    await userEvent.keyboard('125.125{Enter}{ArrowUp}');
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}d{/Control}');
    expect(prices()).toEqual([125.125, 125.125, '125.000']);
  });

  it('keep such a price as text if it is pasted into an open cell, also when all selected cells get it', async () => {
    await showPriced(...['A', 'B'].map((color) => line({ color, sizes: { S: 10 } })));
    await userEvent.click(cellAt(0, 1));
    await userEvent.keyboard('{F2}');
    await userEvent.clear(screen.getByRole('textbox'));
    await userEvent.paste('125.000');
    await userEvent.keyboard('{Enter}');
    expect(prices()).toEqual(['125.000']);
    await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}{F2}{Control>}{Enter}{/Control}');
    expect(prices()).toEqual(['125.000', '125.000']);
    await userEvent.keyboard('{F2}0{Control>}{Enter}{/Control}');
    expect(prices()).toEqual([125, 125]);
  });

  it('keep such a price as text on a phone too, until it is changed', async () => {
    setWidth(390);
    showMatrix(PRICED, [line({ color: 'A', sizes: { S: 10 } })]);
    const field = await screen.findByRole('textbox', { name: 'S A Unit price' });
    await userEvent.clear(field);
    await userEvent.paste('125.000');
    expect([prices(), field.getAttribute('aria-invalid')]).toEqual([['125.000'], 'true']);
    await userEvent.keyboard('0');
    expect(prices()).toEqual([125]);
  });
});
