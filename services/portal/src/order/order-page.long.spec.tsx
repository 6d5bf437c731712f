/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import {
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { KEYS } from '../api/keys.js';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import { sampleHead } from '../fixtures/sample-head.js';
import { OrderPage } from './order-page.js';

/** Shows the page at an address, with an API that gives only these answers. */
function visit(
  address: string,
  answers: ApiAnswers = {},
  history = createMemoryHistory({ initialEntries: [address] }),
) {
  const root = createRootRoute();
  const list = createRoute({ getParentRoute: () => root, path: '/orders' });
  const page = createRoute({ getParentRoute: () => root, path: '/orders/$poRef', component: OrderPage });
  const router = createRouter({ routeTree: root.addChildren([list, page]), history });
  return showPart(<RouterProvider router={router as never} />, answers);
}

const ORDER = sampleHead({
  poNumber: 'PO-1',
  version: 1,
  statusId: 100,
  currency: 'USD',
  amount: 1,
  xfDate: '2027-03-01',
  poDate: '2027-02-01',
  agreedXfd: null,
  agreedAt: null,
  nextDue: null,
  availableActions: [],
  editableFields: ['vendor_reply_factory'],
});

/** Comment of a buyer who rejected the order. */
const COMMENT = {
  id: 'h',
  action: 'REJECT',
  actionLabel: 'Reject',
  fromStatusId: 200,
  toStatusId: 150,
  toStatus: 'In Revision',
  comment: 'Too late',
  actorRole: 'BUYER',
  actorName: 'Marta Lind',
  occurredAt: '2027-03-01T10:00:00.000Z',
  changes: null,
};

describe('the page of an order', () => {
  it('links to the address of the buyer, whose text can add nothing to the mail', async () => {
    const order = { ...ORDER, buyerName: 'Dana', buyerEmail: 'a@b.example?bcc=x@y.example' };
    visit('/orders/PO-1', { 'GET /purchase-orders/PO-1': order });
    const { href } = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Dana' });
    expect(href).toBe('mailto:a@b.example%3Fbcc%3Dx@y.example');
  });

  it.each(['/orders/PO-1', '/orders/po-1'])(
    'at %s uses the upper-case reference that live events have',
    async (address) => {
      const { cache } = visit(address);
      expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('PO-1');
      const orders = cache
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey[1]);
      expect(new Set(orders)).toEqual(new Set(['PO-1']));
    },
  );

  it.each([
    [true, '/orders?page=3'],
    [false, '/orders'],
  ])('has a link to all orders, which goes back if the user came from a list: %s', async (fromList, address) => {
    const history = createMemoryHistory({ initialEntries: ['/orders?page=3'] });
    history.push('/orders/PO-1', { fromList });
    visit('/orders/PO-1', {}, history);
    await userEvent.click(await screen.findByRole('link', { name: 'Orders' }));
    await waitFor(() => expect(history.location.href).toBe(address));
  });

  it('still goes back to the list after the user followed the latest comment', async () => {
    const history = createMemoryHistory({ initialEntries: ['/orders?page=3'] });
    history.push('/orders/PO-1', { fromList: true });
    const answers = {
      'GET /me': { role: 'VENDOR' },
      'GET /purchase-orders/PO-1': { ...ORDER, availableActions: [{ action: 'SUBMIT', label: 'Submit' }] },
      'GET /purchase-orders/PO-1/history': [COMMENT],
      'GET /purchase-orders/PO-1/messages': [],
    };
    visit('/orders/PO-1', answers, history);
    await userEvent.click(await screen.findByRole('link', { name: /Marta Lind/ }));
    await waitFor(() => expect(history.location.hash).toBe('#entry-h'));
    await userEvent.click(screen.getByRole('link', { name: 'Orders' }));
    await waitFor(() => expect(history.location.href).toBe('/orders?page=3'));
  });

  it('stays on the screen while a failed read is repeated', async () => {
    const answers: ApiAnswers = { 'GET /purchase-orders/PO-1': ORDER, 'GET /purchase-orders/PO-1/messages': [] };
    const { requested, cache } = visit('/orders/PO-1', answers);
    const field = await screen.findByRole('textbox', { name: 'Reply factory' });
    const diff = '/purchase-orders/PO-1/diff';
    answers[`GET ${diff}`] = new Promise(() => undefined);
    await act(async () => void cache.invalidateQueries({ queryKey: KEYS.diff('PO-1') }));
    expect(requested.filter((request) => request.endsWith(diff))).toHaveLength(2);
    expect(screen.getByRole('textbox', { name: 'Reply factory' })).toBe(field);
  });
});
