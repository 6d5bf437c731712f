/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { showPart } from '../fixtures/portal-part.js';
import OrderSearch from './order-search.js';

describe('the search of every page', () => {
  afterEach(cleanup);

  it('asks for no more characters than the API takes', async () => {
    const { asked } = showPart(<OrderSearch asked={1} />, {
      'GET /me': { role: 'BUYER' },
      'GET /purchase-orders': { data: [], pagination: { total: 0 } },
    });
    await userEvent.click(await screen.findByRole('textbox', {}, { timeout: 20_000 }));
    await userEvent.paste('x'.repeat(120));
    await waitFor(() => expect(asked).toContain(`GET /purchase-orders?search=${'x'.repeat(100)}&limit=8`));
  });
});
