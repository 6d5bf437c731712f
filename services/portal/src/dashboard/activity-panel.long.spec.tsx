/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { KEYS } from '../api/keys.js';
import { showPart } from '../fixtures/portal-part.js';
import { ActivityPanel } from './activity-panel.js';

const ACTIVITY = 'GET /dashboard/recent-activity';
const entries = (...ids: string[]) =>
  ids.map((id) => ({ id, poRef: id, poNumber: id, actorRole: 'BUYER', occurredAt: '2027-03-01T10:00:00.000Z' }));

describe('the recent activity', () => {
  it('waits while the focus is in it or on the button that shows the new entries, which leaves the focus in the list', async () => {
    const answers = { [ACTIVITY]: entries('PO-1') };
    const { cache } = showPart(<ActivityPanel />, answers);
    const link = await screen.findByRole('link', { name: 'PO-1' });
    act(() => link.focus());
    answers[ACTIVITY] = entries('PO-2', 'PO-1');
    await act(() => cache.invalidateQueries({ queryKey: KEYS.activity }));
    const button = await screen.findByRole('button', { name: '1 new' });
    await userEvent.tab({ shift: true });
    expect([document.activeElement === button, screen.queryByText('PO-2')]).toEqual([true, null]);
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('PO-2')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'PO-2' }));
    expect(button.isConnected).toBe(false);
  });

  it('shows new entries at once after a click on the text of an entry, when the pointer has left', async () => {
    const answers = { [ACTIVITY]: entries('PO-1') };
    const { cache } = showPart(<ActivityPanel />, answers);
    const entry = await screen.findByRole('listitem');
    await userEvent.click(entry);
    await userEvent.unhover(entry);
    answers[ACTIVITY] = entries('PO-2', 'PO-1');
    await act(() => cache.invalidateQueries({ queryKey: KEYS.activity }));
    expect(await screen.findByText('PO-2')).toBeTruthy();
  });
});
