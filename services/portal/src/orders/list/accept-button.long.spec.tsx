/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import type { OrderSummary } from '../../api/schemas.js';
import { showPart } from '../../fixtures/portal-part.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import { AcceptButton } from './accept-button.js';

const ORDER = { poRef: 'PO-1', poNumber: 'PO-1' } as OrderSummary;

describe('the accept button of a row', () => {
  it.each(['head', 'cells'])('is a link to the order while the order has an unsaved draft: %s', async (part) => {
    const draft = storageKey('u-1', ['order', 'PO-1', part]);
    TEXTS.set(draft, 'typed');
    TEXTS.set(storageKey('u-1', ['order', 'PO-1', 'message']), 'typed');
    showPart(<AcceptButton order={ORDER} accept={() => undefined} />, {});
    const link = await screen.findByRole('link', { name: 'Unsaved changes PO-1' });
    expect(link.getAttribute('href')).toBe('/orders/PO-1');
    act(() => TEXTS.set(draft, ''));
    expect(await screen.findByRole('button', { name: 'Accept as ordered PO-1' })).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  });
});
