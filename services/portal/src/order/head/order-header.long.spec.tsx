/** @jest-environment @happy-dom/jest-environment */
import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { showPart } from '../../fixtures/portal-part.js';
import { sampleHead } from '../../fixtures/sample-head.js';
import type { DraftStore } from '../draft/draft-store.js';
import { EditedOrder } from '../edit/edited-order.js';
import { line } from '../lines/sample-lines.js';
import { OrderHeader } from './order-header.js';

it('a vendor declines an order in one step that replies 0 to each quantity, and must comment on it', async () => {
  const submit = { action: 'SUBMIT', label: 'Submit', toStatusId: 200, toStatus: 'Pending Approval', tone: 'primary' };
  const order = { ...sampleHead({ editableFields: ['vendorReplyQty'] }), availableActions: [submit] } as never;
  const lines = { version: 1, data: [line({ sizes: { S: 10, M: 20 } })] };
  let draft: DraftStore | undefined;
  showPart(
    <EditedOrder order={order} lines={lines}>
      {(typing) => {
        draft = typing.store;
        return <OrderHeader typing={typing} />;
      }}
    </EditedOrder>,
    {},
  );
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Decline…' }));
  const comment = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Comment/ });
  const { edits, done } = draft?.get() ?? {};
  expect([[...(edits ?? [])].map(([key, { typed }]) => [key, typed]), done?.length, comment.required]).toEqual([
    [
      ['quantity:S/RED/S', 0],
      ['quantity:S/RED/M', 0],
    ],
    1,
    true,
  ]);
});
