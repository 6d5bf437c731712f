/** @jest-environment @happy-dom/jest-environment */
import { BroadcastChannel } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { LiveProvider } from '../../api/live/live.js';
import type { OrderList, OrderSummary } from '../../api/schemas.js';
import { showPart } from '../../fixtures/portal-part.js';
import type { OrdersSearch } from '../filters/search.js';
import { OrdersList } from './orders-list.js';

Object.assign(globalThis, { BroadcastChannel });
Object.defineProperty(navigator, 'locks', { value: { request: () => new Promise(() => undefined) } });

const order = (poRef: string) =>
  ({ poRef, poNumber: poRef, currency: 'USD', amount: 100, totalQty: 8, xfDate: '2027-03-10' }) as OrderSummary;
const LIST = {
  data: ['PO-1', 'PO-2'].map(order),
  pagination: { page: 1, limit: 50, total: 2, totalPages: 1 },
} as OrderList;

/** Shows cards, as a phone does, or a table. */
const show = (isOld = false, isNarrow = true, search: OrdersSearch = {}) =>
  showPart(
    <LiveProvider user="u-1" isOpen>
      <OrdersList list={LIST} search={search} columns={['poNumber']} isNarrow={isNarrow} isOld={isOld} />
    </LiveProvider>,
    {},
  );

describe('the list of cards', () => {
  it.each([true, false])('is marked while it belongs to other filters than the chosen ones: %s', async (isOld) => {
    show(isOld);
    const cards = await screen.findByRole('list');
    expect(cards.closest('[data-old]') !== null).toBe(isOld);
  });

  it('can be sorted by every column by which the table can be sorted', async () => {
    const { router } = show();
    await userEvent.click(await screen.findByRole('button', { name: 'Sort by' }));
    const items = await screen.findAllByRole('menuitemcheckbox');
    const names = ['Status', 'Vendor', 'PO date', 'Ex-factory date', 'Amount'];
    expect(items.map(({ textContent }) => textContent.trim())).toEqual(names);
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Ex-factory date' }));
    expect(router.state.location.search).toEqual({ sortField: 'xfDate' });
  });

  it('names its sorting on the closed menu', async () => {
    show(false, true, { sortField: 'xfDate', sortDir: 'desc' });
    expect(await screen.findByRole('button', { name: 'Sort by Ex-factory date ↓' })).toBeTruthy();
  });

  it('can be selected as a whole', async () => {
    show();
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
    expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(3);
  });
});

describe('the list of orders', () => {
  it.each([
    ['cards', true],
    ['a table', false],
  ])('as %s tells the page of an order that the user came from the list', async (_, isNarrow) => {
    const { router } = show(false, isNarrow);
    await userEvent.click(await screen.findByRole('link', { name: 'PO-2' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders/PO-2'));
    expect(router.state.location.state).toMatchObject({ fromList: true });
  });

  it('as a table selects an order by a click beside its checkbox', async () => {
    const { router } = show(false, false);
    await userEvent.click(await screen.findByRole('cell', { name: 'Select PO-2' }));
    expect(screen.getAllByRole('checkbox', { checked: true })).toEqual([screen.getByLabelText('Select PO-2')]);
    expect(router.state.location.pathname).toBe('/');
  });

  it('exports only the selected orders', async () => {
    const { requested } = show();
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select PO-2' }));
    await userEvent.click(screen.getByRole('button', { name: 'Export selected' }));
    const [csv = document.body] = await screen.findAllByRole('menuitem', { name: /^CSV/ });
    await userEvent.click(csv);
    await waitFor(() => expect(requested).toContain('GET /purchase-order-exports?poRef=PO-2&format=csv&level=orders'));
  });
});

describe('the keys of the list of cards', () => {
  /** The second card has the focus after the first was selected. */
  const press = async (role: 'link' | 'checkbox', key: string) => {
    const { router } = show();
    await userEvent.click(await screen.findByRole('checkbox', { name: /PO-1/ }));
    act(() => screen.getByRole(role, { name: /PO-2/ }).focus());
    await userEvent.keyboard(key);
    return router;
  };

  it('open the order whose link has the focus, not the one selected before', async () => {
    const router = await press('link', '{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders/PO-2'));
  });

  it.each([
    ['link', ' '],
    ['checkbox', 'x'],
  ] as const)('select the order whose %s has the focus: %j', async (role, key) => {
    await press(role, key);
    expect(screen.getAllByRole('checkbox', { name: /PO-/, checked: true })).toHaveLength(2);
  });
});
