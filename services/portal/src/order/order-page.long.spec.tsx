/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { cleanup, screen } from '@testing-library/react';
import { showPart } from '../fixtures/portal-part.js';
import { OrderPage } from './order-page.js';

/** The page at an address, with an API that answers nothing. */
function visit(address: string) {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/orders/$poRef', component: OrderPage });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  return showPart(<RouterProvider router={router as never} />, {});
}

describe('the page of an order', () => {
  afterEach(cleanup);

  it.each(['/orders/PO-1', '/orders/po-1'])('at %s names the order as live events do', async (address) => {
    const { cache } = visit(address);
    expect((await screen.findByRole('heading', { level: 1 }, { timeout: 20_000 })).textContent).toBe('PO-1');
    const orders = cache
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey[1]);
    expect(new Set(orders)).toEqual(new Set(['PO-1']));
  });
});
