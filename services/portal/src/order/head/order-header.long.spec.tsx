/** @jest-environment @happy-dom/jest-environment */
import { expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { showPart } from '../../fixtures/portal-part.js';
import { sampleHead } from '../../fixtures/sample-head.js';
import { type } from '../draft/draft.js';
import type { DraftStore } from '../draft/draft-store.js';
import { EditedOrder } from '../edit/edited-order.js';
import { line } from '../lines/sample-lines.js';
import { type Slot, matrixOf } from '../lines/size-matrix.js';
import { OrderHeader } from './order-header.js';

it('a vendor declines an order by replying 0 to each quantity with a comment; what was typed is kept until then', async () => {
  const submit = { action: 'SUBMIT', label: 'Submit', toStatusId: 200, toStatus: 'Pending Approval', tone: 'primary' };
  const order = { ...sampleHead({ editableFields: ['vendorReplyQty'] }), availableActions: [submit] } as never;
  const lines = { version: 1, data: [line({ sizes: { S: 10, M: 20 } })] };
  let draft: DraftStore | undefined;
  const { sent } = showPart(
    <EditedOrder order={order} lines={lines}>
      {(typing) => {
        draft = typing.store;
        return <OrderHeader typing={typing} />;
      }}
    </EditedOrder>,
    {},
  );
  const more = await screen.findByRole('button', { name: 'More actions' });
  const [small] = matrixOf(lines.data).slots.values();
  act(() => draft?.change((now) => type(now, [[small as Slot, '7 pairs']])));
  const typed = () => [...(draft?.get().edits ?? [])].map(([key, edit]) => [key, edit.typed]);
  const open = async () => {
    await userEvent.click(more);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Decline…' }));
  };
  await open();
  const comment = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Comment/ });
  expect([screen.queryByText('This replies 0 to each quantity.') !== null, comment.required]).toEqual([true, true]);
  expect(screen.queryByText('2 changes are not saved yet.')).not.toBeNull();
  expect(typed()).toEqual([['quantity:S/RED/S', '7 pairs']]);
  await userEvent.keyboard('{Escape}');
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(typed()).toEqual([
    ['quantity:S/RED/S', 0],
    ['quantity:S/RED/M', 0],
  ]);
  const zero = (rowHash: string) => ({ rowHash, vendorReplyQty: 0 });
  expect(sent[0]?.body).toEqual({ lines: [zero('S/RED/S'), zero('S/RED/M')] });
});
