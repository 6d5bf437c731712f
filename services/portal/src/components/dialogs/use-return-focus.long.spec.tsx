/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import SignOutDialog from '../../app/sign-out-dialog.js';
import { showPart } from '../../fixtures/portal-part.js';
import KeysDialog from '../../orders/keyboard/keys-dialog.js';

function Part({ dialog }: { dialog: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

describe('closing a dialog', () => {
  it.each([
    ['the keyboard shortcuts', (close: () => void) => <KeysDialog close={close} />],
    ['sign-out', (close: () => void) => <SignOutDialog orders={1} leave={() => undefined} close={close} />],
  ])('returns the focus to the element that opened it: %s', async (_which, dialog) => {
    showPart(<Part dialog={dialog} />, {});
    const opener = await screen.findByRole('button', { name: 'Open' });
    await userEvent.click(opener);
    const inDialog = await screen.findByRole('dialog');
    await waitFor(() => expect(inDialog.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(opener);
  });
});
