/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { LineItem, OrderDetail } from '../../api/schemas.js';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import { EditedOrder } from '../edit/edited-order.js';
import { line } from '../lines/sample-lines.js';
import { OrderMatrix } from './order-matrix.js';

const CELLS = storageKey('u-1', ['order', 'PO-1', 'cells']);
const BLUE = line({ color: 'BLUE', sizes: { S: 10, M: 20 } });
const RED = line({ color: 'RED', sizes: { S: 30, M: 40 } });
const order = (...editableFields: string[]) => ({ poRef: 'PO-1', currency: 'USD', editableFields }) as OrderDetail;

function Part() {
  const { queries } = useApi();
  const { data } = useQuery(queries.order('PO-1'));
  const lines = useQuery(queries.lines('PO-1'));
  if (!data) return null;
  return (
    <main id="content" tabIndex={-1}>
      <EditedOrder order={data} lines={lines.data}>
        {({ saving }) => <OrderMatrix order={data} lines={lines} saving={saving} />}
      </EditedOrder>
    </main>
  );
}

/** Shows these lines. Returns functions that change the order. */
async function show(...items: LineItem[]) {
  const { cache } = showPart(<Part />, {
    'GET /purchase-orders/PO-1': order('vendorReplyQty'),
    'GET /purchase-orders/PO-1/line-items': Response.json(items, { headers: { etag: '"1"' } }),
  });
  await screen.findByRole('switch', { name: 'Only changes' });
  const set = (key: readonly string[], data: unknown) => act(async () => void cache.setQueryData(key, data));
  return {
    lines: (...data: LineItem[]) => set(KEYS.lines('PO-1'), { version: 2, data }),
    /** Another tab of the user saved all edits. */
    savedElsewhere: () => act(async () => TEXTS.set(CELLS, '')),
    lock: () => set(KEYS.order('PO-1'), order()),
  };
}

/** Types into a cell without leaving its field. Returns functions that change the order. */
async function typeInto(row: number, column: number, text: string) {
  const changes = await show(BLUE, RED);
  await screen.findByRole('grid');
  await userEvent.click(cellAt(row, column));
  await userEvent.keyboard(text);
  return changes;
}

/** Shows these lines with editable prices. Returns functions that use the clipboard. */
async function showPriced(...items: LineItem[]) {
  showPart(<Part />, {
    'GET /purchase-orders/PO-1': order('vendorReplyQty', 'vendorReplyUnitPrice'),
    'GET /purchase-orders/PO-1/line-items': Response.json(items, { headers: { etag: '"1"' } }),
  });
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

function cellAt(row: number, column: number): HTMLElement {
  const cell = document.querySelector<HTMLElement>(`td[data-row="${row}"][data-column="${column}"]`);
  if (!cell) throw new Error('no such cell');
  return cell;
}

const typed = () =>
  (JSON.parse(TEXTS.get(CELLS) || '[]') as [string, { typed: unknown }][]).map(([key, edit]) => [key, edit.typed]);

const setWidth = (value: number) => Object.defineProperty(window, 'innerWidth', { value, configurable: true });

beforeAll(() => {
  // Only rows within the height of the grid are rendered.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { value: 600, configurable: true });
});
beforeEach(() => TEXTS.set(CELLS, ''));

describe('a quantity being typed', () => {
  it('stays in its cell when the inventory system adds sizes and line items before it', async () => {
    const { lines } = await typeInto(1, 1, '77');
    const sizes = { XS: 5, S: 30, M: 40 };
    await lines(line({ color: 'BLACK', sizes }), BLUE, line({ color: 'RED', sizes }));
    expect((document.activeElement as HTMLInputElement).value).toBe('77');
    await userEvent.keyboard('{Enter}');
    expect(typed()).toEqual([['quantity:S/RED/M', 77]]);
  });

  it('stays in its cell when a screen reader or a right click moves the focus to another cell', async () => {
    await typeInto(0, 1, '77');
    act(() => cellAt(0, 0).focus());
    expect(screen.queryByRole('textbox')).toBeNull();
    act(() => cellAt(1, 0).focus());
    expect(typed()).toEqual([['quantity:S/BLUE/M', 77]]);
  });

  it('gets an error with the maximum if it exceeds that', async () => {
    await typeInto(0, 0, '10000000{Enter}{ArrowUp}');
    expect(await screen.findByText('At most 9,999,999')).toBeTruthy();
  });

  it('is kept when its size is removed, and does not go into another cell', async () => {
    const { lines } = await typeInto(0, 0, '77');
    await lines(line({ color: 'BLUE', sizes: { M: 20 } }), RED);
    await userEvent.keyboard('{Enter}');
    expect(typed()).toEqual([['quantity:S/BLUE/S', 77]]);
  });

  it('is kept when the page is left', async () => {
    await typeInto(0, 1, '77');
    cleanup();
    expect(typed()).toEqual([]);
    await Promise.resolve();
    expect(typed()).toEqual([['quantity:S/BLUE/M', 77]]);
  });

  it('is not kept when Escape cancels it before the page is left', async () => {
    await typeInto(0, 1, '77{Escape}');
    cleanup();
    await Promise.resolve();
    expect(typed()).toEqual([]);
  });

  it.each([
    ['most browsers', { isComposing: true }],
    ['Safari', { keyCode: 229 }],
  ])('is kept when Escape only closes the suggestions of an input method in %s', async (_browser, composing) => {
    await typeInto(0, 1, '77');
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape', ...composing });
    await userEvent.keyboard('{Enter}');
    expect(typed()).toEqual([['quantity:S/BLUE/M', 77]]);
  });

  it.each(['this tab without an answer', 'another tab'])(
    'that %s saved is no change by others, but a later value of others is',
    async (saver) => {
      const { lines, savedElsewhere } = await typeInto(0, 0, '77{Enter}');
      if (saver === 'another tab') await savedElsewhere();
      await lines(line({ color: 'BLUE', sizes: { S: [10, 77], M: 20 } }), RED);
      await waitFor(() => expect([typed(), cellAt(0, 0).textContent]).toEqual([[], expect.stringContaining('77')]));
      expect(screen.queryByText(/^Changed by others/)).toBeNull();
      await lines(BLUE, RED);
      expect(await screen.findByText('Changed by others in the meantime: 1')).toBeTruthy();
    },
  );

  it('is reported as a change by others if the user gave it up before', async () => {
    const { lines } = await typeInto(0, 0, '77{Enter}{Control>}z{/Control}');
    await lines(line({ color: 'BLUE', sizes: { S: [10, 77], M: 20 } }), RED);
    expect(await screen.findByText('Changed by others in the meantime: 1')).toBeTruthy();
  });

  it('counts as seen where the user typed on during the save', async () => {
    const { lines } = await typeInto(0, 0, '77{Enter}');
    const later = JSON.stringify([['quantity:S/BLUE/S', { typed: 78, original: 10, reply: 77 }]]);
    act(() => TEXTS.set(CELLS, later));
    await lines(line({ color: 'BLUE', sizes: { S: [10, 77], M: [20, 21] } }), RED);
    expect(await screen.findByText('Changed by others in the meantime: 1')).toBeTruthy();
  });

  it('is kept and reported in a notice when the order is locked during typing', async () => {
    const { lock } = await typeInto(0, 1, '77');
    await lock();
    await userEvent.keyboard('{Enter}');
    expect(typed()).toEqual([['quantity:S/BLUE/M', 77]]);
    expect((await screen.findByRole('alert')).textContent).toContain('Your unsaved values: 1');
  });
});

describe('the lines of an order', () => {
  afterEach(() => void setWidth(1024));

  it.each([
    // A cell.
    [1024, 'TD'],
    [390, 'MAIN'],
  ])('report changes by others until the user has seen them, in a window %i pixels wide', async (width, focused) => {
    setWidth(width);
    const { lines } = await show(BLUE, RED);
    await lines(line({ color: 'BLUE', sizes: { S: [10, 11], M: 20 } }), RED);
    const text = await screen.findByText('Changed by others in the meantime: 1');
    // Not read with each selected cell.
    expect(text.textContent).toBe(text.closest('[role=status]')?.textContent);
    await screen.findByText('changed by others');
    await userEvent.click(screen.getByRole('button', { name: 'Got it' }));
    expect([screen.queryByText(/changed by others/i), screen.queryByRole('button', { name: 'Got it' })]).toEqual([
      null,
      null,
    ]);
    expect(document.activeElement?.tagName).toBe(focused);
  });

  it('are summed by quantity, without a sum if only prices are selected', async () => {
    await show(BLUE, RED);
    await userEvent.click(cellAt(0, 2));
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
    expect(await screen.findByText('2 cells')).toBeTruthy();
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    expect(await screen.findByText('4 cells, sum of quantities 60')).toBeTruthy();
  });

  it('say on a phone too what is wrong with an entry', async () => {
    setWidth(390);
    await show(BLUE);
    const field = await screen.findByRole('textbox', { name: 'S BLUE S' });
    await userEvent.type(field, '1.5{Enter}');
    expect(field.getAttribute('aria-describedby')).toBe(screen.getByText('Whole pieces only').id);
  });

  it.each([
    [1024, 'tr > [data-head]:first-child'],
    [390, 'section[data-index]'],
  ])('are all printed, from a window %i pixels wide', async (width, selector) => {
    setWidth(width);
    const colors = Array.from({ length: 60 }, (_, at) => `C${at}`);
    await show(...colors.map((color) => line({ color, sizes: { S: 10 } })));
    const shown = () => document.querySelectorAll(selector).length;
    await waitFor(() => expect(shown()).toBeGreaterThan(0));
    expect(shown()).toBeLessThan(60);
    act(() => void dispatchEvent(new Event('beforeprint')));
    expect(shown()).toBe(60);
    act(() => void dispatchEvent(new Event('afterprint')));
    expect(shown()).toBeLessThan(60);
  });

  it('have an approximate total on a phone too if their sizes differ in price', async () => {
    setWidth(390);
    await show({ ...BLUE, originalPricesDiffer: true });
    await userEvent.type(await screen.findByRole('textbox', { name: 'S BLUE S' }), '12');
    expect(document.querySelector('footer')?.textContent).toContain('≈ USD');
  });

  it('do not change if they are pasted back as they were copied', async () => {
    // The sizes differ in price: the copied price is their mean.
    const { copied, paste } = await showPriced({ ...BLUE, originalUnitPrice: 1.125, originalPricesDiffer: true });
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
    const prices = () => typed().map(([, price]) => price);
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

  it('stay in one element, with the error above them, when a refresh fails', async () => {
    const lines = 'GET /purchase-orders/PO-1/line-items';
    const answers: ApiAnswers = {
      'GET /purchase-orders/PO-1': order(),
      [lines]: Response.json([BLUE], { headers: { etag: '"1"' } }),
    };
    const columns = (
      <div data-testid="columns">
        <Part />
      </div>
    );
    const { cache } = showPart(columns, answers);
    const grid = await screen.findByRole('grid');
    delete answers[lines];
    await act(async () => void cache.invalidateQueries({ queryKey: KEYS.lines('PO-1') }));
    const alert = await screen.findByRole('alert');
    expect(screen.getByTestId('columns').children).toHaveLength(1);
    expect(screen.getByRole('grid')).toBe(grid);
    expect(alert.compareDocumentPosition(grid)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
});
