/** @jest-environment @happy-dom/jest-environment */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { showPart } from '../../fixtures/portal-part.js';
import { sampleHead } from '../../fixtures/sample-head.js';
import { type } from '../draft/draft.js';
import { EditedOrder } from '../edit/edited-order.js';
import type { Typing } from '../edit/use-order-edit.js';
import { line } from '../lines/sample-lines.js';
import { type Slot, type SlotKind, matrixOf } from '../lines/size-matrix.js';
import { OrderHeader } from './order-header.js';

const SUBMIT = { action: 'SUBMIT', label: 'Submit', toStatusId: 200, toStatus: 'Pending Approval', tone: 'primary' };
const ORDER = {
  ...sampleHead({ editableFields: ['vendorReplyQty', 'vendor_reply_xfd'] }),
  availableActions: [SUBMIT],
} as never;
const LINES = { version: 1, data: [line({ sizes: { S: 10, M: 20 } })] };
const SLOTS = [...matrixOf(LINES.data).slots.values()];

const typeInto = (kind: SlotKind, text: string) => (typing: Typing) =>
  typing.store.change((now) => type(now, [[SLOTS.find((slot) => slot.kind === kind) as Slot, text]]));

describe('a vendor who declines an order', () => {
  let typing: Typing;
  beforeEach(() => localStorage.clear());
  const show = async (typeFirst: (typing: Typing) => void) => {
    const { sent } = showPart(
      <EditedOrder order={ORDER} lines={LINES}>
        {(shown) => {
          typing = shown;
          return <OrderHeader typing={shown} />;
        }}
      </EditedOrder>,
      {},
    );
    await screen.findByRole('button', { name: 'More actions' });
    act(() => typeFirst(typing));
    await open();
    return { sent };
  };
  const open = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Decline…' }));
    return screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Comment/ });
  };
  const typed = () => [...typing.store.get().edits].map(([key, edit]) => [key, edit.typed]);

  it('replies 0 to each quantity with a comment; what was typed is kept until then', async () => {
    const { sent } = await show(typeInto('quantity', '7 pairs'));
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

  it.each([
    ['price', typeInto('price', 'soon')],
    ['date', ({ head }: Typing) => head.type('vendor_reply_xfd', 'soon')],
  ])('first corrects a %s, which the zeros do not replace', async (_what, typeFirst) => {
    await show(typeFirst);
    expect(await screen.findByText('1 entry to correct')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });
});
