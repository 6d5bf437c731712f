/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { notificationsStore } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { showPart } from '../fixtures/portal-part.js';
import { SheetMenu } from './sheet-menu.js';

describe('the spreadsheet export of an order', () => {
  it('contains only the lines of this order, and is downloaded without further questions', async () => {
    const { requested } = showPart(<SheetMenu poRef="PO-1" canImport={false} />, {
      'GET /purchase-order-exports': new Response('PO-1'),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Spreadsheet' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: /^CSV/ }));
    await waitFor(() =>
      expect(notificationsStore.getState().notifications.map(({ message }) => message)).toEqual([
        'PO-1.csv is downloaded',
      ]),
    );
    expect(requested).toEqual(['GET /purchase-order-exports?poRef=PO-1&format=csv&level=lines']);
  });
});
