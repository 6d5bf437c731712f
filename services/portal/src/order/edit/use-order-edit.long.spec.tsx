/** @jest-environment @happy-dom/jest-environment */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import type { OrderDetail } from '../../api/schemas.js';
import { refusal } from '../../fixtures/refusal.js';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import { type Draft, newDraft, withTyped } from '../conflict/three-way-merge.js';
import { type Value, readDraft, serializeDraft, valuesOf } from '../fields/header-fields.js';
import { sampleHead } from '../../fixtures/sample-head.js';
import { line } from '../lines/sample-lines.js';
import { matrixOf } from '../lines/size-matrix.js';
import { EditedOrder } from './edited-order.js';
import { SaveBar } from './save-bar.js';

const DRAFT = storageKey('u-1', ['order', 'PO-1', 'head']);
const CELLS = storageKey('u-1', ['order', 'PO-1', 'cells']);
const order = (version: number, changes: Partial<OrderDetail>) =>
  sampleHead({ version, statusId: 300, editableFields: ['container_number', 'tracking_number'], ...changes });
const LINES = { version: 3, data: [line({ sizes: { S: 1 } })] };
const REVISED = order(1, { statusId: 150, editableFields: ['vendor_reply_comment', 'container_number'] });

function Page({ confirmed }: { confirmed: OrderDetail }) {
  const { queries } = useApi();
  const { data } = useQuery({ ...queries.order('PO-1'), initialData: confirmed, staleTime: Infinity });
  const { data: lines } = useQuery({ ...queries.lines('PO-1'), initialData: LINES, staleTime: Infinity });
  return (
    <EditedOrder order={data} lines={lines}>
      {(typing) => (
        <>
          <input
            aria-label="Tracking number"
            value={typing.head.valueOf('tracking_number') ?? ''}
            onChange={({ target }) => typing.head.type('tracking_number', target.value)}
          />
          <main id="content" tabIndex={-1}>
            <SaveBar typing={typing} />
          </main>
        </>
      )}
    </EditedOrder>
  );
}

/** Shows an order that was confirmed after these fields were typed. */
const show = (
  fields: Record<string, string>,
  confirmed = order(3, {}),
  saved: unknown = order(4, { containerNumber: 'MSCU1234567' }),
) => {
  const draft = Object.entries(fields).reduce(
    (now, [field, value]) => withTyped(now, now.base, field, value),
    newDraft(valuesOf(REVISED)),
  );
  TEXTS.set(DRAFT, serializeDraft(draft));
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

describe('the editor of a confirmed order', () => {
  beforeEach(() => {
    for (const name of [DRAFT, CELLS]) TEXTS.set(name, '');
  });

  it('saves the fields that are still editable and keeps a reply that came too late', async () => {
    const { sent } = show({ vendor_reply_comment: 'Two days more', container_number: 'MSCU1234567' });
    expect((await bar()).textContent).toContain('2 unsaved changes');
    await screen.findByText('Only some of it can be saved now. The rest is kept here.');
    await userEvent.click(await saveButton());
    await screen.findByText('1 unsaved change');
    expect(sent).toEqual([{ body: { container_number: 'MSCU1234567' }, version: '"3"' }]);
    expect(left()).toEqual({ vendor_reply_comment: 'Two days more' });
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('saves a header field despite an invalid entry in a locked cell', async () => {
    const [cell] = matrixOf(LINES.data).slots.keys();
    TEXTS.set(CELLS, JSON.stringify([[cell, { typed: '8 or 9', original: 1, reply: null }]]));
    const { sent } = show({ container_number: 'MSCU1234567' });
    expect((await bar()).textContent).toContain('2 unsaved changes');
    await userEvent.click(await saveButton());
    await screen.findByText('1 unsaved change');
    expect(sent.map(({ body }) => body)).toEqual([{ container_number: 'MSCU1234567' }]);
  });

  it('does not save a field on reconnection if it was discarded while the save waited', async () => {
    const { sent, cache } = show({ container_number: 'MSCU1234567', tracking_number: 'T-1' });
    dispatchEvent(new Event('offline'));
    await userEvent.click(await saveButton());
    await screen.findByText('It will be saved when you are online.');
    const { mine, ...draft } = readDraft(TEXTS.get(DRAFT)) as Draft<Value>;
    TEXTS.set(
      DRAFT,
      serializeDraft({ ...draft, mine: new Map([...mine].filter(([field]) => field === 'tracking_number')) }),
    );
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(cache.isMutating()).toBe(0));
    expect(sent.map(({ body }) => body)).toEqual([{ tracking_number: 'T-1' }]);
  });

  it('keeps a field that is typed back during a save as unsaved', async () => {
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

  it('shows the saved value even if a read that began before the save ends after it', async () => {
    let end: (read: OrderDetail) => void = () => undefined;
    const { requested, cache, answers } = show(
      { tracking_number: 'T-1' },
      order(3, {}),
      order(4, { trackingNumber: 'T-1' }),
    );
    answers['GET /purchase-orders/PO-1'] = new Promise((resolve) => (end = resolve));
    await bar();
    void cache.invalidateQueries({ queryKey: KEYS.order('PO-1') });
    await waitFor(() => expect(requested).toContain('GET /purchase-orders/PO-1'));
    answers['GET /purchase-orders/PO-1'] = order(4, { trackingNumber: 'T-1' });
    await userEvent.click(await saveButton());
    await waitFor(() => expect(cache.isMutating()).toBe(0));
    end(order(3, {}));
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    expect(screen.getByLabelText<HTMLInputElement>('Tracking number').value).toBe('T-1');
  });

  it('recognizes a text with a space at the end as saved after a lost answer', async () => {
    const { answers, sent, cache } = show({ tracking_number: 'T-1 ' }, order(3, {}), Promise.resolve(undefined));
    answers['GET /purchase-orders/PO-1'] = order(4, { trackingNumber: 'T-1' });
    await userEvent.click(await saveButton());
    await waitFor(() => expect(sent).toHaveLength(1));
    await waitFor(() => expect(cache.getQueryData(KEYS.order('PO-1'))).toMatchObject({ version: 4 }));
    expect([screen.queryByRole('alert'), left()]).toEqual([null, {}]);
  });

  it('keeps a newer order that others saved before the answer to a save came', async () => {
    let end: (saved: OrderDetail) => void = () => undefined;
    const { sent, cache } = show({ tracking_number: 'T-1' }, order(3, {}), new Promise((resolve) => (end = resolve)));
    await userEvent.click(await saveButton());
    await waitFor(() => expect(sent).toHaveLength(1));
    cache.setQueryData(KEYS.order('PO-1'), order(5, { trackingNumber: 'T-2' }));
    end(order(4, { trackingNumber: 'T-1' }));
    await waitFor(() => expect(cache.isMutating()).toBe(0));
    expect(screen.getByLabelText<HTMLInputElement>('Tracking number').value).toBe('T-2');
  });

  it('keeps newer lines that others saved before the answer to a save came, and shows no saved cell as unsaved', async () => {
    const lines = (reply: number) => [line({ sizes: { S: [1, reply] } })];
    const [cell] = matrixOf(LINES.data).slots.keys();
    TEXTS.set(CELLS, JSON.stringify([[cell, { typed: 8, original: 1, reply: null }]]));
    let end: (saved: Response) => void = () => undefined;
    const { answers, sent, cache } = show({}, order(3, { editableFields: ['vendorReplyQty'] }));
    answers['PATCH /purchase-orders/PO-1/line-items'] = new Promise((resolve) => (end = resolve));
    await userEvent.click(await saveButton());
    await waitFor(() => expect(sent).toHaveLength(1));
    const newer = { version: 5, data: lines(9) };
    cache.setQueryData(KEYS.lines('PO-1'), newer);
    end(Response.json(lines(8), { headers: { etag: '"4"' } }));
    await waitFor(() => expect(screen.queryByText('1 unsaved change')).toBeNull());
    expect(cache.getQueryData(KEYS.lines('PO-1'))).toEqual(newer);
  });

  it('reports a conflict in a field typed during a save that was merged with changes by others', async () => {
    let end: (saved: OrderDetail) => void = () => undefined;
    const { answers, sent } = show({ tracking_number: 'T-1' });
    const patched = [refusal(412, { code: 'VERSION_MISMATCH' }), new Promise((resolve) => (end = resolve))];
    Object.defineProperty(answers, 'PATCH /purchase-orders/PO-1', { get: () => patched.shift() });
    answers['GET /purchase-orders/PO-1'] = order(4, { containerNumber: 'C-2' });
    await userEvent.click(await saveButton());
    await waitFor(() => expect(sent).toHaveLength(2));
    const now = readDraft(TEXTS.get(DRAFT)) as Draft<Value>;
    act(() => TEXTS.set(DRAFT, serializeDraft(withTyped(now, now.base, 'container_number', 'C-1'))));
    end(order(5, { containerNumber: 'C-2', trackingNumber: 'T-1' }));
    expect((await screen.findByRole('alert')).textContent).toContain('You both changed Container.');
    await screen.findByText('1 unsaved change');
    expect([(await saveButton()).disabled, left()]).toEqual([true, { container_number: 'C-1' }]);
  });

  it('reports the conflict that a refused save reveals, and saves again only after it is resolved', async () => {
    const refused = refusal(412, { code: 'VERSION_MISMATCH' });
    const { answers, sent } = show({ tracking_number: 'T-1' }, order(3, {}), refused);
    answers['GET /purchase-orders/PO-1'] = order(4, { trackingNumber: 'T-2' });
    await userEvent.click(await saveButton());
    expect((await screen.findByRole('alert')).textContent).toContain('You both changed Tracking.');
    expect([(await saveButton()).disabled, left()]).toEqual([true, { tracking_number: 'T-1' }]);
    answers['PATCH /purchase-orders/PO-1'] = order(5, { trackingNumber: 'T-1' });
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    await userEvent.click(await saveButton());
    await waitFor(() => expect(left()).toEqual({}));
    expect(sent.map(({ version }) => version)).toEqual(['"3"', '"4"']);
  });

  it('moves the focus to the page when the notice of a conflict in cells disappears', async () => {
    const [cell] = matrixOf(LINES.data).slots.keys();
    TEXTS.set(CELLS, JSON.stringify([[cell, { typed: 8, original: 1, reply: null }]]));
    const { cache } = show({}, order(3, { editableFields: ['vendorReplyQty'] }));
    await bar();
    act(() => void cache.setQueryData(KEYS.lines('PO-1'), { version: 4, data: [line({ sizes: { S: [1, 9] } })] }));
    (await screen.findByRole('button', { name: 'Keep mine' })).focus();
    await userEvent.keyboard('{Enter}');
    expect(screen.queryByRole('button', { name: 'Keep mine' })).toBeNull();
    expect(document.activeElement?.id).toBe('content');
  });

  it('does not save until an invalid date is corrected', async () => {
    const editableFields: OrderDetail['editableFields'] = ['vendor_reply_xfd', 'tracking_number'];
    const { sent } = show({ vendor_reply_xfd: '2027-02-30', tracking_number: 'T-1' }, order(3, { editableFields }));
    await screen.findByText('1 entry to correct');
    expect((await saveButton()).disabled).toBe(true);
    await userEvent.keyboard('{Control>}s{/Control}');
    expect(sent).toEqual([]);
  });

  it('counts a field that the API refuses as an entry to correct and offers to show it', async () => {
    const errors = [{ in: 'body', pointer: '/tracking_number', code: 'TOO_LONG', message: 'must be shorter' }];
    const refused = refusal(400, { code: 'VALIDATION_FAILED', errors });
    show({ tracking_number: 'T-1' }, order(3, {}), refused);
    await userEvent.click(await saveButton());
    await screen.findByText('1 entry to correct');
    expect(screen.getByRole('button', { name: 'Show' })).toBeTruthy();
    expect((await saveButton()).disabled).toBe(true);
  });
});
