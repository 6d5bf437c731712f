/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { notificationsStore } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import Toasts from '../app/toasts.js';
import { showPart } from '../fixtures/portal-part.js';
import { ExportMenu } from './export-menu.js';
import { useExport } from './use-export.js';

function Export() {
  const { received, run } = useExport();
  return (
    <button type="button" onClick={() => void run({ query: {}, format: 'csv', level: 'orders' })}>
      {received === null ? 'Export' : 'Running'}
    </button>
  );
}

function Page() {
  const [isLeft, setLeft] = useState(false);
  return (
    <>
      {!isLeft && <Export />}
      <button type="button" onClick={() => setLeft(true)}>
        Leave
      </button>
    </>
  );
}

describe('an export', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('continues after the user leaves the page, and reports when the file is downloaded', async () => {
    let sending: ReadableStreamDefaultController<Uint8Array> | undefined;
    const rows = new ReadableStream<Uint8Array>({ start: (controller) => void (sending = controller) });
    const headers = {
      'content-disposition': 'attachment; filename="orders.csv"',
      'content-type': 'text/csv; charset=utf-8',
      'x-total-count': '1',
    };
    const { requested } = showPart(<Page />, { 'GET /purchase-order-exports': new Response(rows, { headers }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    await waitFor(() => expect(requested).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
    expect(screen.queryByRole('button', { name: 'Running' })).toBeNull();
    sending?.enqueue(new TextEncoder().encode('PO Number\r\nPO-1\r\n'));
    sending?.close();
    await waitFor(() =>
      expect(notificationsStore.getState().notifications.map(({ message }) => message)).toEqual([
        'Downloaded: orders.csv',
      ]),
    );
  });

  it('keeps its file for browsers that read it only after the click, but not forever', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const revoke = jest.spyOn(URL, 'revokeObjectURL');
    showPart(<Export />, { 'GET /purchase-order-exports': new Response('PO-1') });
    fireEvent.click(await screen.findByRole('button', { name: 'Export' }));
    await screen.findByRole('button', { name: 'Export' });
    expect(revoke).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60_000);
    expect(revoke).toHaveBeenCalledTimes(1);
  });

  it('keeps the focus in the page when the menu gives way to its progress', async () => {
    showPart(
      <main id="content" tabIndex={-1}>
        <ExportMenu query={{}} disabled={false} />
      </main>,
      { 'GET /purchase-order-exports': new Promise(() => undefined) },
    );
    const button = await screen.findByRole('button', { name: 'Export' });
    act(() => button.focus());
    await userEvent.keyboard('{Enter}');
    const [csv = document.body] = await screen.findAllByRole('menuitem', { name: /^CSV/ });
    act(() => csv.focus());
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('button', { name: /Cancel$/ });
    await waitFor(() => expect(document.activeElement?.id).toBe('content'));
  });

  it('reports a failure in a toast with a labeled close button', async () => {
    notificationsStore.setState((state) => ({ ...state, notifications: [], queue: [] }));
    showPart(
      <>
        <Export />
        <Toasts />
      </>,
      {},
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    await screen.findByText('The export failed');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('The export failed')).toBeNull());
  });
});
