/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { UseQueryResult } from '@tanstack/react-query';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { showPart } from '../../fixtures/portal-part.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import { CellsProvider, useCellsStore } from '../edit/cells.js';
import type { Saving } from '../edit/use-saving.js';
import { line } from '../lines/sample-lines.js';
import { OrderMatrix } from './order-matrix.js';

const CELLS = storageKey('u-1', ['order', 'PO-1', 'cells']);
const EDITABLE = ['vendorReplyQty', 'vendorReplyUnitPrice'];
const SAVING = { refusalOf: () => null } as unknown as Saving;
const linesOf = (...items: OrderLines['items']) => ({ version: 1, items }) as OrderLines;
const BLUE = line({ color: 'BLUE', sizes: { S: 10, M: 20 } });
const RED = line({ color: 'RED', sizes: { S: 30, M: 40 } });

/** What the API answers next, and leaves the page. */
let answer: (lines: OrderLines, editableFields?: string[]) => void;
let leave: () => void;

function Part() {
  const [{ lines, editableFields }, setAnswer] = useState({ lines: linesOf(BLUE, RED), editableFields: EDITABLE });
  const [isLeft, setLeft] = useState(false);
  answer = (next, fields = EDITABLE) => act(() => setAnswer({ lines: next, editableFields: fields }));
  leave = () => act(() => setLeft(true));
  const kept = useCellsStore('PO-1');
  const order = { poRef: 'PO-1', currency: 'USD', editableFields } as OrderDetail;
  const query = { data: lines, error: null } as UseQueryResult<OrderLines>;
  if (isLeft) return null;
  return (
    <CellsProvider order={order} lines={lines} kept={kept}>
      <OrderMatrix order={order} lines={query} saving={SAVING} />
    </CellsProvider>
  );
}

/** Types into a cell, and stays in its field. */
async function typeInto(row: number, column: number, text: string) {
  showPart(<Part />, { 'GET /purchase-orders/PO-1/diff': { lines: [], totals: {} } });
  await screen.findByRole('grid', {}, { timeout: 20_000 });
  const cell = document.querySelector(`td[data-row="${row}"][data-column="${column}"]`);
  if (!cell) throw new Error('no such cell');
  await userEvent.click(cell);
  await userEvent.keyboard(text);
}

const typed = () =>
  (JSON.parse(TEXTS.get(CELLS) || '[]') as [string, { typed: unknown }][]).map(([key, edit]) => [key, edit.typed]);

describe('a quantity that is being typed', () => {
  // Rows are there as far as the grid is high.
  beforeAll(() => {
    Object.defineProperty(HTMLElement.prototype, 'clientHeight', { value: 600, configurable: true });
  });
  beforeEach(() => TEXTS.set(CELLS, ''));
  afterEach(cleanup);

  it('stays in its size and item when the inventory system adds others before them', async () => {
    await typeInto(1, 1, '77');
    const sizes = { XS: 5, S: 30, M: 40 };
    answer(linesOf(line({ color: 'BLACK', sizes }), BLUE, line({ color: 'RED', sizes })));
    expect((document.activeElement as HTMLInputElement).value).toBe('77');
    await userEvent.keyboard('{Enter}');
    expect(typed()).toEqual([['quantity:S/RED/M', 77]]);
  });

  it('is kept when its size is removed, and nothing is typed into another one', async () => {
    await typeInto(0, 0, '77');
    answer(linesOf(line({ color: 'BLUE', sizes: { M: 20 } }), RED));
    await userEvent.keyboard('{Enter}');
    expect(typed()).toEqual([['quantity:S/BLUE/S', 77]]);
  });

  it('is kept when the page is left', async () => {
    await typeInto(0, 1, '77');
    leave();
    expect(typed()).toEqual([]);
    await Promise.resolve();
    expect(typed()).toEqual([['quantity:S/BLUE/M', 77]]);
  });

  it('is not kept when it was given up before the page is left', async () => {
    await typeInto(0, 1, '77{Escape}');
    leave();
    await Promise.resolve();
    expect(typed()).toEqual([]);
  });

  it('is kept with a notice when the order is locked meanwhile', async () => {
    await typeInto(0, 1, '77');
    answer(linesOf(BLUE, RED), []);
    await userEvent.keyboard('{Enter}');
    expect(typed()).toEqual([['quantity:S/BLUE/M', 77]]);
    expect((await screen.findByRole('alert')).textContent).toContain('Cells with values that you did not save: 1');
  });
});
