/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { KEYS } from '../../api/keys.js';
import type { LineItem } from '../../api/schemas.js';
import {
  CELLS,
  MatrixPart,
  answersOf,
  cellAt,
  orderOf,
  setGridHeight,
  setWidth,
  showMatrix,
  typed,
} from '../../fixtures/matrix-part.js';
import { showPart } from '../../fixtures/portal-part.js';
import { TEXTS } from '../../storage/use-stored.js';
import { line } from '../lines/sample-lines.js';

const BLUE = line({ color: 'BLUE', sizes: { S: 10, M: 20 } });
const RED = line({ color: 'RED', sizes: { S: 30, M: 40 } });

/** Shows these lines. Returns functions that change the order. */
async function show(...items: LineItem[]) {
  const { cache } = showMatrix(orderOf('vendorReplyQty'), items);
  await screen.findByRole('switch', { name: 'Only changes' });
  const set = (key: readonly string[], data: unknown) => act(async () => void cache.setQueryData(key, data));
  return {
    lines: (...data: LineItem[]) => set(KEYS.lines('PO-1'), { version: 2, data }),
    /** Another tab of the user saved all edits. */
    savedElsewhere: () => act(async () => TEXTS.set(CELLS, '')),
    lock: () => set(KEYS.order('PO-1'), orderOf()),
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

beforeAll(() => void setGridHeight());
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

  it.each([
    ['10000000', 'At most 9,999,999'],
    // No advice to add decimals: a quantity has none.
    ['1.000', 'Unclear: use no thousands separators'],
  ])('of %s gets the error "%s"', async (text, error) => {
    await typeInto(0, 0, `${text}{Enter}{ArrowUp}`);
    expect(await screen.findByText(error)).toBeTruthy();
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

  it('stay in one element, with the error above them, when a refresh fails', async () => {
    const answers = answersOf(orderOf(), [BLUE]);
    const columns = (
      <div data-testid="columns">
        <MatrixPart />
      </div>
    );
    const { cache } = showPart(columns, answers);
    const grid = await screen.findByRole('grid');
    delete answers['GET /purchase-orders/PO-1/line-items'];
    await act(async () => void cache.invalidateQueries({ queryKey: KEYS.lines('PO-1') }));
    const alert = await screen.findByRole('alert');
    expect(screen.getByTestId('columns').children).toHaveLength(1);
    expect(screen.getByRole('grid')).toBe(grid);
    expect(alert.compareDocumentPosition(grid)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
});
