/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AvailableAction, OrderSummary } from '../../api/schemas.js';
import { showPart } from '../../fixtures/portal-part.js';
import BulkDialog from './bulk-dialog.js';
import { refused } from './sample-results.js';

const action = {
  action: 'CANCEL',
  label: 'Cancel',
  toStatusId: 900,
  toStatus: 'Cancelled',
  requiresComment: true,
  tone: 'danger',
} as AvailableAction;
const ordersUpTo = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    poRef: `PO-${at + 1}`,
    poNumber: `PO-${at + 1}`,
    currency: 'USD',
    amount: 1,
  })) as OrderSummary[];

const ask = async (count = 1) => {
  const closed: unknown[] = [];
  const { router } = showPart(
    <BulkDialog request={{ orders: ordersUpTo(count), action }} close={(left) => closed.push(left)} />,
    {
      'GET /me': { role: 'BUYER' },
      'GET /lookups/actions?statusId=900&role=BUYER': [],
      'POST /purchase-orders/transitions': { results: [refused('PO-1', 409), refused('PO-2', 409)] },
      'GET /po-filters': { statusDetails: [{ statusId: 900, isTerminal: true }] },
    },
  );
  return { closed, router, comment: await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Comment/ }) };
};

describe('the dialog of an action for selected orders', () => {
  it('names a single order, and says that the new status is final', async () => {
    await ask();
    expect(screen.getByText('Cancel: PO-1')).toBeTruthy();
    expect(screen.getByText('Cancelled')).toBeTruthy();
    expect(await screen.findByText('This cannot be undone.')).toBeTruthy();
  });

  it.each([
    [3, 'PO-1, PO-2, PO-3'],
    [5, 'PO-1, PO-2, PO-3 and 2 more'],
  ])('names the first of %i orders', async (count, names) => {
    await ask(count);
    expect(screen.getByText(`Cancel: ${count} orders`)).toBeTruthy();
    expect(screen.getByText(names)).toBeTruthy();
  });

  it('is not closed by Escape or a click outside while it has a comment', async () => {
    const { closed, comment } = await ask();
    await userEvent.type(comment, 'Late');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(document.querySelector('.mantine-Modal-inner') as HTMLElement);
    expect([closed, comment.value]).toEqual([[], 'Late']);
    await userEvent.clear(comment);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(closed).toEqual([null]));
  });

  it('asks before the user leaves the page with a comment, and only then', async () => {
    const { comment, router } = await ask();
    const leave = () => act(() => void router.navigate({ to: '/a' as never }));
    await userEvent.type(comment, 'Late');
    leave();
    await userEvent.click(await screen.findByText('Stay'));
    expect([router.state.location.pathname, comment.value]).toEqual(['/', 'Late']);
    await userEvent.clear(comment);
    leave();
    await waitFor(() => expect(router.state.location.pathname).toBe('/a'));
  });

  it('reports by how much a pasted comment is too long, instead of cutting it', async () => {
    const { comment } = await ask();
    await userEvent.click(comment);
    await userEvent.paste('a'.repeat(2_001));
    expect(screen.getByText('1 character too many')).toBeTruthy();
    expect(comment.value).toHaveLength(2_001);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true);
  });

  it('has no button in the rows of failed orders, which would come before those of the dialog', async () => {
    const { comment } = await ask(2);
    await userEvent.type(comment, 'Late');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByText('0 done · 2 not done');
    expect(screen.getAllByText('r-1')).toHaveLength(2);
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe('Try 2 again');
  });
});
