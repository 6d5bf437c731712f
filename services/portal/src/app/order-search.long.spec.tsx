/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import { refusal } from '../fixtures/refusal.js';
import OrderSearch from './order-search.js';

const ORDERS = 'GET /purchase-orders';
const found = (...numbers: string[]) => ({
  data: numbers.map((poNumber) => ({ poRef: poNumber, poNumber, vendor: 'Acme', statusId: 1, status: 'New' })),
  pagination: { total: numbers.length },
});
const show = (answers: ApiAnswers) =>
  showPart(<OrderSearch openings={1} />, { 'GET /me': { role: 'BUYER' }, ...answers });
const field = () => screen.findByRole('combobox');

describe('the global search', () => {
  afterEach(() => act(() => void dispatchEvent(new Event('online'))));

  it('truncates the search text to the maximum that the API accepts', async () => {
    const { requested } = show({ [ORDERS]: found() });
    await userEvent.click(await field());
    await userEvent.paste('x'.repeat(120));
    await waitFor(() => expect(requested).toContain(`${ORDERS}?search=${'x'.repeat(100)}&limit=8`));
  });

  it.each([
    ['{Enter}', '/orders', '/orders/PO-45', true],
    ['{ArrowDown}{Enter}', '/dashboard', '/orders/PO-451', false],
  ])('opens a result by keyboard: %s over %s', async (keys, page, path, fromList) => {
    const { router } = show({ [ORDERS]: found('PO-45', 'PO-451') });
    await act(() => router.navigate({ to: page as never }));
    await userEvent.type(await field(), '45');
    await screen.findByText('PO-45');
    await userEvent.keyboard(keys);
    await waitFor(() => expect(router.state.location.pathname).toBe(path));
    expect(router.state.location.state).toMatchObject({ fromList });
  });

  it('tells a screen reader how many results there are and which one is selected', async () => {
    const none = { [`${ORDERS}?search=dark&limit=8`]: found(), [`${ORDERS}?poRef=DARK&limit=8`]: found() };
    show({ [ORDERS]: found('PO-45', 'PO-451'), ...none });
    const input = await field();
    const selected = () =>
      [
        document.getElementById(input.getAttribute('aria-activedescendant') ?? ''),
        ...screen.queryAllByRole('option', { selected: true }),
      ].map((one) => one?.textContent);
    const status = () => screen.getByRole('status').textContent;
    await waitFor(() => expect([input.getAttribute('aria-expanded'), status()]).toEqual(['true', '9 results']));
    await userEvent.type(input, 'dark');
    await screen.findByText('No matching orders');
    expect([status(), ...selected()]).toEqual(['1 result', 'Theme: Dark', 'Theme: Dark']);
    await userEvent.clear(input);
    await userEvent.type(input, '45');
    await waitFor(() => expect(status()).toBe('2 results'));
    expect(input.getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
    expect(screen.getByRole('group', { name: 'Orders' }).querySelectorAll('[role=option]')).toHaveLength(2);
    expect(selected()).toEqual(Array(2).fill(expect.stringContaining('PO-45Acme')));
    await userEvent.keyboard('{ArrowDown}');
    await waitFor(() => expect(selected()).toEqual(Array(2).fill(expect.stringContaining('PO-451Acme'))));
    await userEvent.type(input, ' nothing');
    await screen.findByText('Loading');
    expect(status()).toBe('');
    expect([input.getAttribute('aria-expanded'), input.getAttribute('aria-activedescendant')]).toEqual(['false', null]);
  });

  it('first lists the order with exactly this number, which newer orders contain', async () => {
    const { router } = show({
      [ORDERS]: found('PO-45-B', 'PO-45', 'PO-45-A'),
      [`${ORDERS}?poRef=PO-45&limit=8`]: found('PO-45'),
    });
    await userEvent.type(await field(), 'po-45');
    await screen.findByText('PO-45-A');
    expect(screen.getAllByText(/^PO-45/).map(({ textContent }) => textContent)).toEqual([
      'PO-45',
      'PO-45-B',
      'PO-45-A',
    ]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders/PO-45'));
  });

  it('has no result to open before it is known whether an order has exactly this number', async () => {
    const pending = { [`${ORDERS}?poRef=PO-45&limit=8`]: new Promise(() => undefined) };
    const { requested, router } = show({ [ORDERS]: found('PO-45-B'), ...pending });
    await userEvent.type(await field(), 'po-45');
    await waitFor(() => expect(requested).toContain(`${ORDERS}?search=po-45&limit=8`));
    await userEvent.keyboard('{Enter}');
    expect([screen.queryByText('PO-45-B'), router.state.location.pathname]).toEqual([null, '/']);
  });

  it('lists the other results if it cannot be read whether an order has exactly this number', async () => {
    show({ [ORDERS]: found('PO-45-B'), [`${ORDERS}?poRef=PO-45&limit=8`]: refusal(503, { code: 'UNAVAILABLE' }) });
    await userEvent.type(await field(), 'po-45');
    expect(await screen.findByText('PO-45-B')).toBeTruthy();
  });

  it('opens nothing by the Enter that Safari sends after the end of a composition', async () => {
    const { router } = show({ [ORDERS]: found('PO-45') });
    await userEvent.type(await field(), '45');
    await screen.findByText('PO-45');
    const end = new KeyboardEvent('keydown', { code: 'Enter', keyCode: 229, bubbles: true, cancelable: true });
    fireEvent(await field(), end);
    expect([end.defaultPrevented, screen.queryByText('PO-45') !== null]).toEqual([false, true]);
    expect(router.state.location.pathname).toBe('/');
  });

  it.each([
    ['online', 'Loading'],
    ['offline', 'You are offline'],
  ])('says while %s why there are no results yet', async (event, text) => {
    show({ [ORDERS]: new Promise(() => undefined) });
    await userEvent.type(await field(), '45');
    act(() => void dispatchEvent(new Event(event)));
    await userEvent.type(await field(), '9');
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('tells a screen reader that the search failed, even if an action fits the text', async () => {
    show({});
    await userEvent.type(await field(), 'dark');
    await screen.findByText('The search failed');
    expect(screen.getByRole('status').textContent).toBe('The search failed');
  });

  it('does not report the failure of an earlier text', async () => {
    show({ [`${ORDERS}?search=459&limit=8`]: new Promise(() => undefined) });
    await userEvent.type(await field(), '45');
    await screen.findByText('The search failed');
    await userEvent.keyboard('9');
    expect(screen.queryByText('The search failed')).toBeNull();
  });

  it('does not open a result for an earlier text', async () => {
    const { requested, router } = show({
      [ORDERS]: found('PO-45'),
      [`${ORDERS}?search=459&limit=8`]: new Promise(() => undefined),
    });
    await userEvent.type(await field(), '45');
    await screen.findByText('PO-45');
    await userEvent.keyboard('9');
    expect(screen.queryByText('PO-45')).toBeNull();
    await waitFor(() => expect(requested).toContain(`${ORDERS}?search=459&limit=8`));
    await userEvent.keyboard('{Enter}');
    expect([screen.queryByText('PO-45'), router.state.location.pathname]).toEqual([null, '/']);
  });
});
