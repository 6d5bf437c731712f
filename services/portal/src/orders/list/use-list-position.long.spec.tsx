/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useRef } from 'react';
import { showPart } from '../../fixtures/portal-part.js';
import { useListPosition } from './use-list-position.js';

const ROWS = ['PO-1', 'PO-2'];

function List() {
  const scroller = useRef<HTMLDivElement>(null);
  useListPosition(ROWS, scroller);
  return <div ref={scroller} role="table" />;
}

describe('the position in a list', () => {
  it('is the first row on a new page of the list, and the one left after the back button', async () => {
    const { router } = showPart(<List />, {});
    const rows = await screen.findByRole('table');
    rows.scrollTop = 300;
    fireEvent.scroll(rows);
    await act(() => router.navigate({ to: '/', search: { page: 2 } as never }));
    expect(rows.scrollTop).toBe(0);
    act(() => router.history.back());
    await waitFor(() => expect(rows.scrollTop).toBe(300));
  });
});
