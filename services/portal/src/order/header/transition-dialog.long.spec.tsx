/** @jest-environment @happy-dom/jest-environment */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useApi } from '../../api/api.js';
import type { AvailableAction, OrderDetail } from '../../api/schemas.js';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { refusal } from '../../fixtures/refusal.js';
import { sampleHead } from '../../fixtures/sample-head.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import { newDraft, withTyped } from '../conflict/three-way-merge.js';
import { EditedOrder } from '../edit/edited-order.js';
import { serializeDraft, valuesOf } from '../fields/header-fields.js';
import { TransitionDialog } from './transition-dialog.js';

const ORDER = 'GET /purchase-orders/PO-1';
const SUBMIT = 'POST /purchase-orders/PO-1/transition';
const HEAD = storageKey('u-1', ['order', 'PO-1', 'head']);
const NO_ANSWER = 'Check your connection, then try again.';
const action = {
  action: 'SUBMIT',
  label: 'Submit',
  labelZh: '提交',
  toStatusId: 200,
  toStatus: 'Pending Approval',
  toStatusZh: '待审批',
  requiresComment: false,
  tone: 'primary',
} as AvailableAction;
const order = (version: number, availableActions: AvailableAction[]) =>
  ({ poRef: 'PO-1', poNumber: 'PO-1', version, availableActions, editableFields: [] as string[] }) as OrderDetail;
const submitted = { newStatusId: 200, newStatus: 'Pending Approval', newStatusZh: '待审批', autoApproved: false };

function Part({ close }: { close: () => void }) {
  const { data } = useQuery(useApi().queries.order('PO-1'));
  if (!data) return null;
  return (
    <EditedOrder order={data}>
      {(typing) => <TransitionDialog {...{ action, typing, close }} label="Submit" isAcceptance={false} />}
    </EditedOrder>
  );
}

const show = (answers: ApiAnswers, present = order(4, [action])) => {
  let closed = 0;
  const shown = showPart(<Part close={() => (closed += 1)} />, Object.assign(answers, { [ORDER]: present }));
  return { ...shown, closed: () => closed };
};
const confirm = async () => userEvent.click(await screen.findByRole('button', { name: 'Submit' }));

describe('the transition dialog', () => {
  beforeEach(() => {
    localStorage.clear();
    dispatchEvent(new Event('online'));
  });

  it('repeats the same request after a lost answer and does not blame others for its own change', async () => {
    const answers: ApiAnswers = {};
    const { sent, keys, closed } = show(answers);
    await screen.findByRole('button', { name: 'Submit' });
    answers[ORDER] = order(5, []);
    await confirm();
    expect(await screen.findByText(NO_ANSWER)).toBeTruthy();
    expect(screen.queryByText(/^The order changed/)).toBeNull();
    answers[SUBMIT] = submitted;
    await confirm();
    await waitFor(() => expect(closed()).toBe(1));
    expect(sent.map(({ version }) => version)).toEqual(['"4"', '"4"']);
    expect(keys[1]).toBe(keys[0]);
  });

  it.each([
    ['', ''],
    ['As agreed', ' Your comment is kept.'],
  ])('says that the order changed if the API refuses the transition, with the comment "%s"', async (comment, kept) => {
    const answers: ApiAnswers = { [SUBMIT]: refusal(409, { code: 'TRANSITION_NOT_ALLOWED' }) };
    show(answers);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Submit' });
    const field = await screen.findByRole('textbox');
    if (comment !== '') await userEvent.type(field, comment);
    answers[ORDER] = order(5, []);
    await confirm();
    expect(await screen.findByText(`The order changed, so this is no longer possible.${kept}`)).toBeTruthy();
    expect(button.disabled).toBe(true);
  });

  it('asks for another review if a save from the dialog was merged with changes by others', async () => {
    const [open, newer, saved] = [4, 5, 6].map((version) =>
      sampleHead({ ...order(version, [action]), statusId: 150, editableFields: ['vendor_reply_factory'] }),
    ) as [OrderDetail, OrderDetail, OrderDetail];
    const base = valuesOf(open);
    TEXTS.set(HEAD, serializeDraft(withTyped(newDraft(base), base, 'vendor_reply_factory', 'Hefei')));
    const patched = [refusal(412, { code: 'VERSION_MISMATCH' }), Response.json(saved)];
    const answers: ApiAnswers = {
      get 'PATCH /purchase-orders/PO-1'() {
        return patched.shift();
      },
    };
    show(answers, open);
    const save = await screen.findByRole('button', { name: 'Save' });
    answers[ORDER] = newer;
    await userEvent.click(save);
    expect(await screen.findByText(/^The order changed while you were looking at it/)).toBeTruthy();
    expect(patched).toEqual([]);
  });

  it.each([
    [2_001, '1 character too many'],
    [2_002, '2 characters too many'],
  ])('says by how much a comment of %i characters is too long', async (length, text) => {
    show({});
    const field = await screen.findByRole('textbox');
    await userEvent.click(field);
    await userEvent.paste('a'.repeat(length));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('can be closed without a connection and sends nothing after reconnection', async () => {
    const { requested, closed } = show({});
    await screen.findByRole('button', { name: 'Submit' });
    dispatchEvent(new Event('offline'));
    await confirm();
    expect(await screen.findByText(NO_ANSWER)).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(closed()).toBe(1);
    cleanup();
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(requested.filter((request) => request.startsWith('POST'))).toHaveLength(1));
  });
});
