/** @jest-environment @happy-dom/jest-environment */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { OrderDetail } from '../../api/schemas.js';
import { refusal } from '../../fixtures/refusal.js';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import { type Draft, newDraft, typed } from '../conflict/three-way-merge.js';
import { type Value, readDraft, valuesOf, written } from '../fields/header-fields.js';
import { sampleHead } from '../../fixtures/sample-head.js';
import { useHeaderEdit } from '../fields/use-header-edit.js';
import { line } from '../lines/sample-lines.js';
import { matrixOf } from '../lines/size-matrix.js';
import { CellsProvider, useCellsStore } from './cells.js';
import { SaveBar } from './save-bar.js';
import { useSaving } from './use-saving.js';

const DRAFT = storageKey('u-1', ['order', 'PO-1', 'head']);
const CELLS = storageKey('u-1', ['order', 'PO-1', 'cells']);
const order = (version: number, changes: Partial<OrderDetail>) =>
  sampleHead({ version, statusId: 300, editableFields: ['container_number', 'tracking_number'], ...changes });
const LINES = { version: 3, data: [line({ sizes: { S: 1 } })] };
const REVISED = order(1, { statusId: 150, editableFields: ['vendor_reply_comment', 'container_number'] });

function Page({ confirmed }: { confirmed: OrderDetail }) {
  const { queries } = useApi();
  const { data } = useQuery({ ...queries.order('PO-1'), initialData: confirmed, staleTime: Infinity });
  const kept = useCellsStore('PO-1');
  const saving = useSaving('PO-1', { head: DRAFT, store: kept.store }, kept.sawSaved);
  const head = useHeaderEdit(data, saving);
  return (
    <CellsProvider order={data} lines={LINES} kept={kept}>
      <input
        aria-label="Tracking number"
        value={head.valueOf('tracking_number') ?? ''}
        onChange={({ target }) => head.type('tracking_number', target.value)}
      />
      <SaveBar typing={{ head, saving, store: kept.store }} />
    </CellsProvider>
  );
}

/** An order that was confirmed after this was typed into it. */
const show = (
  fields: Record<string, string>,
  confirmed = order(3, {}),
  saved: unknown = order(4, { containerNumber: 'MSCU1234567' }),
) => {
  const draft = Object.entries(fields).reduce(
    (now, [field, value]) => typed(now, now.base, field, value),
    newDraft(1, valuesOf(REVISED)),
  );
  TEXTS.set(DRAFT, written(draft));
  const answers: ApiAnswers = {
    'GET /purchase-orders/PO-1/history': [],
    'GET /po-filters': { statusDetails: [] },
    'PATCH /purchase-orders/PO-1': saved,
  };
  return { ...showPart(<Page confirmed={confirmed} />, answers), answers };
};
const bar = () => screen.findByRole('region', { name: 'Unsaved changes' });
const saveButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Save' });
const left = () => Object.fromEntries(readDraft(TEXTS.get(DRAFT))?.mine ?? []);

describe('what is typed into a confirmed order', () => {
  beforeEach(() => {
    for (const name of [DRAFT, CELLS]) TEXTS.set(name, '');
  });

  it('is saved where it may be, and the reply that came too late stays', async () => {
    const { sent } = show({ vendor_reply_comment: 'Two days more', container_number: 'MSCU1234567' });
    expect((await bar()).textContent).toContain('2 unsaved changes');
    await screen.findByText('Only some of it can be saved now. The rest is kept here.');
    await userEvent.click(await saveButton());
    await screen.findByText('1 unsaved change');
    expect(sent).toEqual([{ body: { container_number: 'MSCU1234567' }, version: '"3"' }]);
    expect(left()).toEqual({ vendor_reply_comment: 'Two days more' });
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('is not kept from being saved by a cell that was to be corrected', async () => {
    const [cell] = matrixOf(LINES.data).slots.keys();
    TEXTS.set(CELLS, JSON.stringify([[cell, { typed: '8 or 9', original: 1, reply: null }]]));
    const { sent } = show({ container_number: 'MSCU1234567' });
    expect((await bar()).textContent).toContain('2 unsaved changes');
    await userEvent.click(await saveButton());
    await screen.findByText('1 unsaved change');
    expect(sent.map(({ body }) => body)).toEqual([{ container_number: 'MSCU1234567' }]);
  });

  it('is not saved once there is a connection, when it was discarded meanwhile where its page was opened again', async () => {
    const { sent, cache } = show({ container_number: 'MSCU1234567', tracking_number: 'T-1' });
    dispatchEvent(new Event('offline'));
    await userEvent.click(await saveButton());
    await screen.findByText('It will be saved when you are online.');
    const { mine, ...draft } = readDraft(TEXTS.get(DRAFT)) as Draft<Value>;
    TEXTS.set(DRAFT, written({ ...draft, mine: new Map([...mine].filter(([field]) => field === 'tracking_number')) }));
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(cache.isMutating()).toBe(0));
    expect(sent.map(({ body }) => body)).toEqual([{ tracking_number: 'T-1' }]);
  });

  it('stays typed where it is typed back while it is saved', async () => {
    let end: (saved: OrderDetail) => void = () => undefined;
    const { sent } = show({ tracking_number: 'T-1' }, order(3, {}), new Promise((resolve) => (end = resolve)));
    await userEvent.click(await saveButton());
    await waitFor(() => expect(sent).toHaveLength(1));
    const field = screen.getByLabelText<HTMLInputElement>('Tracking number');
    await userEvent.clear(field);
    end(order(4, { trackingNumber: 'T-1' }));
    await waitFor(async () => expect((await saveButton()).disabled).toBe(false));
    expect([field.value, left()]).toEqual(['', { tracking_number: null }]);
  });

  it('is as it was saved, whatever a read says that began before', async () => {
    let end: (read: OrderDetail) => void = () => undefined;
    const { asked, cache, answers } = show(
      { tracking_number: 'T-1' },
      order(3, {}),
      order(4, { trackingNumber: 'T-1' }),
    );
    answers['GET /purchase-orders/PO-1'] = new Promise((resolve) => (end = resolve));
    await bar();
    void cache.invalidateQueries({ queryKey: KEYS.order('PO-1') });
    await waitFor(() => expect(asked).toContain('GET /purchase-orders/PO-1'));
    answers['GET /purchase-orders/PO-1'] = order(4, { trackingNumber: 'T-1' });
    await userEvent.click(await saveButton());
    await waitFor(() => expect(cache.isMutating()).toBe(0));
    end(order(3, {}));
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    expect(screen.getByLabelText<HTMLInputElement>('Tracking number').value).toBe('T-1');
  });

  it('waits until it is decided which of two comments counts', async () => {
    const { sent } = show(
      { vendor_reply_comment: 'Two days more', container_number: 'MSCU1234567' },
      order(3, { vendorReplyComment: 'On time' }),
    );
    await bar();
    expect((await saveButton()).disabled).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    await userEvent.click(await saveButton());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(left()).toEqual({ vendor_reply_comment: 'Two days more' });
  });

  it('waits until a date that is none is corrected', async () => {
    const editableFields: OrderDetail['editableFields'] = ['vendor_reply_xfd', 'tracking_number'];
    const { sent } = show({ vendor_reply_xfd: '2027-02-30', tracking_number: 'T-1' }, order(3, { editableFields }));
    await screen.findByText('1 entry to correct');
    expect((await saveButton()).disabled).toBe(true);
    await userEvent.keyboard('{Control>}s{/Control}');
    expect(sent).toEqual([]);
  });

  it('that the API refuses is named as what is to be corrected, with the way there', async () => {
    const errors = [{ in: 'body', pointer: '/tracking_number', code: 'TOO_LONG', message: 'must be shorter' }];
    const refused = refusal(400, { code: 'VALIDATION_FAILED', errors });
    show({ tracking_number: 'T-1' }, order(3, {}), refused);
    await userEvent.click(await saveButton());
    await screen.findByText('1 entry to correct');
    expect(screen.getByRole('button', { name: 'Show' })).toBeTruthy();
    expect((await saveButton()).disabled).toBe(true);
  });
});
