/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AvailableAction, OrderSummary } from '../../api/schemas.js';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import SelectionActions from '../list/selection-actions.js';
import BulkDialog, { type BulkRequest } from './bulk-dialog.js';
import { done, refused } from './sample-results.js';

const order = (poRef: string, changes: Partial<OrderSummary> = {}) =>
  ({
    poRef,
    poNumber: poRef,
    statusId: 100,
    version: 4,
    currency: 'USD',
    amount: 1000,
    originalAmount: 1000,
    totalQty: 80,
    originalTotalQty: 80,
    xfDate: '2027-03-10',
    originalXfd: '2027-03-10',
    hasPendingChanges: false,
    ...changes,
  }) as OrderSummary;
const REVISED = order('PO-REVISED', {
  statusId: 150,
  version: 7,
  currency: 'EUR',
  xfDate: '2027-02-01',
  originalXfd: '2027-02-01',
});
const CHANGED = order('PO-CHANGED', { hasPendingChanges: true });
const SENT = order('PO-SENT', { statusId: 200 });

const submit = (fromStatusId: number, changes: Partial<AvailableAction> = {}): AvailableAction => ({
  action: 'SUBMIT',
  label: 'Submit',
  labelZh: '提交',
  fromStatusId,
  toStatusId: 200,
  toStatus: 'Pending Approval',
  toStatusZh: '待审批',
  requiresComment: false,
  tone: 'primary',
  ...changes,
});
const MANY = 'POST /purchase-orders/transitions';

describe('the actions for selected orders', () => {
  beforeEach(() => TEXTS.discardDrafts('u-1'));

  const offer = (orders: OrderSummary[], role: string, ...actions: AvailableAction[]) => {
    const started: BulkRequest[] = [];
    showPart(<SelectionActions orders={orders} start={(request) => started.push(request)} />, {
      'GET /me': { role },
      'GET /lookups/actions': [],
      ...Object.fromEntries(
        actions.map((action) => [`GET /lookups/actions?statusId=${action.fromStatusId}&role=${role}`, [action]]),
      ),
    });
    return started;
  };
  const buttons = async () => (await screen.findAllByRole('button')).map(({ textContent }) => textContent);

  it('accept the orders that can be submitted and are as ordered, and count the others by reason', async () => {
    const started = offer([order('PO-1'), CHANGED, order('PO-2'), SENT], 'VENDOR', submit(100));
    expect(await buttons()).toEqual(['Accept as ordered2', 'Submit3']);
    await userEvent.click(screen.getByRole('button', { name: /^Accept/ }));
    expect(started.map(({ orders, ...request }) => [orders.map(({ poRef }) => poRef), request])).toEqual([
      [
        ['PO-1', 'PO-2'],
        { action: submit(100), isAcceptance: true, leftOut: { byStatus: 1, unsaved: 0, asChanged: 1 } },
      ],
    ]);
  });

  it('can be loaded again after a failure', async () => {
    const answers: ApiAnswers = { 'GET /me': { role: 'VENDOR' } };
    showPart(<SelectionActions orders={[order('PO-1')]} start={() => undefined} />, answers);
    const retry = await screen.findByRole('button', { name: 'Try again' });
    answers['GET /lookups/actions?statusId=100&role=VENDOR'] = [submit(100)];
    await userEvent.click(retry);
    await screen.findByRole('button', { name: 'Submit' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('offer no acceptance if all orders have changes, but still offer to submit', async () => {
    const started = offer([CHANGED, SENT], 'VENDOR', submit(100));
    expect(await buttons()).toEqual(['Submit1']);
    await userEvent.click(screen.getByRole('button'));
    expect(started.map(({ isAcceptance, leftOut }) => ({ isAcceptance, leftOut }))).toEqual([
      { isAcceptance: false, leftOut: { byStatus: 1, unsaved: 0, asChanged: 0 } },
    ]);
  });

  it('require a comment if any of the statuses requires one', async () => {
    const recall = (fromStatusId: number, requiresComment: boolean) =>
      submit(fromStatusId, { action: 'RECALL', label: 'Recall', requiresComment });
    const orders = [SENT, order('PO-CONFIRMED', { statusId: 300 }), order('PO-SHIPPED', { statusId: 400 })];
    const started = offer(orders, 'VENDOR', recall(200, false), recall(300, true), recall(400, false));
    await userEvent.click(await screen.findByRole('button', { name: 'Recall' }));
    expect(started.map(({ action }) => action)).toEqual([recall(200, true)]);
  });

  describe('with unsaved drafts for some orders', () => {
    const CELLS = storageKey('u-1', ['order', 'PO-1', 'cells']);
    const HEAD = storageKey('u-1', ['order', 'PO-2', 'head']);
    beforeEach(() => {
      TEXTS.set(CELLS, '[["S",{"typed":5,"original":6,"reply":null}]]');
      TEXTS.set(HEAD, '{"version":4}');
    });

    it('accept and submit only the other orders, and apply other actions to all', async () => {
      TEXTS.set(storageKey('u-1', ['order', 'PO-3', 'message']), 'Hello');
      const orders = [order('PO-1'), order('PO-2'), order('PO-3'), CHANGED, SENT];
      const started = offer(orders, 'VENDOR', submit(100), submit(200, { action: 'RECALL', label: 'Recall' }));
      expect(await buttons()).toEqual(['Accept as ordered1', 'Submit2', 'Recall1']);
      for (const button of screen.getAllByRole('button')) await userEvent.click(button);
      expect(started.map(({ orders: those, leftOut }) => [those.map(({ poRef }) => poRef), leftOut])).toEqual([
        [['PO-3'], { byStatus: 1, unsaved: 2, asChanged: 1 }],
        [['PO-3', 'PO-CHANGED'], { byStatus: 1, unsaved: 2, asChanged: 0 }],
        [['PO-SENT'], { byStatus: 4, unsaved: 0, asChanged: 0 }],
      ]);
    });

    it('offer nothing if all orders have drafts, and say so until these are saved', async () => {
      offer([order('PO-1'), order('PO-2')], 'VENDOR', submit(100));
      await screen.findByText('2 selected orders have changes that you have not saved, and are left as they are.');
      expect(screen.queryByRole('button')).toBeNull();
      act(() => TEXTS.set(CELLS, ''));
      expect(await buttons()).toEqual(['Accept as ordered1', 'Submit1']);
    });
  });

  it('do not offer acceptance to a buyer', async () => {
    offer([order('PO-1')], 'BUYER', submit(100, { action: 'CANCEL', label: 'Cancel', tone: 'danger' }));
    expect(await buttons()).toEqual(['Cancel']);
  });
});

describe('the dialog that accepts orders as ordered', () => {
  afterEach(() => void dispatchEvent(new Event('online')));

  const ask = (request: BulkRequest, answers: ApiAnswers = {}, language: 'en' | 'zh' = 'en') => {
    const closed: (readonly string[] | null)[] = [];
    const shown = showPart(<BulkDialog request={request} close={(left) => closed.push(left)} />, answers, language);
    return { ...shown, answers, closed };
  };
  const acceptance = (...orders: OrderSummary[]): BulkRequest => ({
    orders,
    action: submit(100),
    isAcceptance: true,
    leftOut: { byStatus: 1, unsaved: 2, asChanged: 2 },
  });

  const terms = () => screen.getAllByRole('definition').map(({ textContent }) => textContent);
  const confirm = () =>
    userEvent.click(screen.getByRole('button', { name: /^(?:Accept as ordered|Submit|按原单接受)$/ }));

  it.each([
    [
      'en',
      'Accept as ordered: 2 orders',
      '1 Feb 2027 – 10 Mar 2027',
      'is not in a status',
      '2 selected orders have changes that you have not saved',
      '2 selected orders differ',
    ],
    [
      'zh',
      '按原单接受：2 个订单',
      '2027年2月1日 – 2027年3月10日',
      '1 个的状态不允许',
      '2 个含有您尚未保存的更改',
      '2 个与原单不同',
    ],
  ] as const)(
    'shows the number of orders, their amounts and dates, and the left-out orders: %s',
    async (language, title, dates, ...why) => {
      const { closed, sent } = ask(acceptance(order('PO-1'), REVISED), {}, language);
      expect(await screen.findByText(title)).toBeTruthy();
      expect(terms()).toEqual(['USD 1,000.00 · EUR 1,000.00', '160', dates]);
      for (const reason of why) expect(screen.getByText(new RegExp(reason))).toBeTruthy();
      expect(screen.queryByRole('textbox')).toBeNull();
      await userEvent.keyboard('{Escape}');
      await waitFor(() => expect(closed).toEqual([null]));
      expect(sent).toEqual([]);
    },
  );

  it('names a single order and submits it on the version that the user saw', async () => {
    const { requested, sent, closed } = ask(
      { orders: [REVISED] },
      { 'GET /lookups/actions': [submit(150)], [MANY]: { results: [done('PO-REVISED')] } },
    );
    expect(await screen.findByText('Accept as ordered: PO-REVISED')).toBeTruthy();
    expect(requested).toEqual(['GET /lookups/actions?statusId=150&role=VENDOR']);
    expect(terms()).toEqual(['EUR 1,000.00', '80', '1 Feb 2027']);
    await confirm();
    expect(await screen.findByText('1 done')).toBeTruthy();
    expect(sent.map(({ body }) => body)).toEqual([{ items: [{ poRef: 'PO-REVISED', version: 7, action: 'SUBMIT' }] }]);
    await userEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    expect(closed).toEqual([[]]);
  });

  it.each([
    ['Accept as ordered', true],
    ['Submit', false],
  ])('does not retry an order that changed in the meantime, and asks for a review: %s', async (name, isAcceptance) => {
    const results = [refused('PO-1', 412), refused('PO-2', 409), done('PO-3')];
    const answers: ApiAnswers = { [MANY]: { results }, 'GET /purchase-orders/PO-1': order('PO-1', { version: 5 }) };
    const orders = [order('PO-1'), order('PO-2'), order('PO-3')];
    const { sent, closed } = ask({ ...acceptance(...orders), isAcceptance }, answers);
    await screen.findByText(`${name}: 3 orders`);
    await confirm();
    expect(
      await screen.findByText('Somebody changed it in the meantime. Review it before you try again.'),
    ).toBeTruthy();
    expect(screen.getByText('refused with 409')).toBeTruthy();
    answers[MANY] = { results: [refused('PO-2', 409)] };
    await userEvent.click(screen.getByRole('button', { name: 'Try 1 again' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.body).toEqual({ items: [{ poRef: 'PO-2', version: 4, action: 'SUBMIT' }] });
    expect(await screen.findByText('1 done · 2 not done')).toBeTruthy();
    await userEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    expect(closed.map((left) => left?.toSorted())).toEqual([['PO-1', 'PO-2']]);
  });

  it('marks the orders that a policy approved automatically', async () => {
    const results = [{ ...done('PO-1'), autoApproved: true }, done('PO-2')];
    ask(acceptance(order('PO-1'), order('PO-2')), { [MANY]: { results } });
    await screen.findByText(/^Accept as ordered:/);
    await confirm();
    expect(await screen.findByText('2 done · 1 approved automatically')).toBeTruthy();
    expect(screen.getAllByText('Automatic')).toHaveLength(1);
  });

  it('repeats a request without an answer unchanged, with the same key', async () => {
    const answers: ApiAnswers = {};
    const { sent, keys } = ask(acceptance(order('PO-1'), order('PO-2')), answers);
    await screen.findByText(/^Accept as ordered:/);
    await confirm();
    expect(await screen.findAllByText('Check your connection, then try again.')).toHaveLength(2);
    answers[MANY] = { results: [done('PO-1'), done('PO-2')] };
    await userEvent.click(screen.getByRole('button', { name: 'Try 2 again' }));
    expect(await screen.findByText('2 done')).toBeTruthy();
    expect(sent[1]).toEqual(sent[0]);
    expect(keys[1]).toBe(keys[0]);
  });

  it('asks for confirmation before the user leaves a running action', async () => {
    let answer = (_results: unknown) => {};
    const { router } = ask(acceptance(order('PO-1')), { [MANY]: new Promise((resolve) => (answer = resolve)) });
    await screen.findByText(/^Accept as ordered:/);
    await confirm();
    void router.navigate({ to: '/elsewhere' });
    expect(await screen.findByText('Leave before it is done?')).toBeTruthy();
    await userEvent.click(screen.getAllByRole('button', { name: 'Stay' }).at(-1) as HTMLElement);
    expect(router.state.location.pathname).toBe('/');
    answer({ results: [done('PO-1')] });
    await screen.findByText('1 done');
    await act(() => router.navigate({ to: '/elsewhere' }));
    expect(router.state.location.pathname).toBe('/elsewhere');
  });

  it('can be tried again if the action of a single order cannot be loaded', async () => {
    const { answers, closed } = ask({ orders: [order('PO-1')] });
    const again = await screen.findByRole('button', { name: 'Try again' });
    answers['GET /lookups/actions?statusId=100&role=VENDOR'] = [submit(100)];
    await userEvent.click(again);
    expect(await screen.findByRole('button', { name: 'Accept as ordered' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(closed).toEqual([null]));
  });

  it('says that the browser is offline if the action of a single order is not loaded yet', async () => {
    ask({ orders: [order('PO-1')] });
    dispatchEvent(new Event('offline'));
    expect(await within(await screen.findByRole('dialog')).findByText('You are offline')).toBeTruthy();
  });

  it('requires a comment if the configuration of the action requires one', async () => {
    const action = submit(100, { requiresComment: true });
    const { sent } = ask({ ...acceptance(order('PO-1')), action }, { [MANY]: { results: [done('PO-1')] } });
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Accept as ordered' });
    expect(button.disabled).toBe(true);
    await userEvent.type(screen.getByRole('textbox'), 'As ordered');
    await confirm();
    await screen.findByText('1 done');
    expect(sent[0]?.body).toEqual({
      items: [{ poRef: 'PO-1', version: 4, action: 'SUBMIT', comment: 'As ordered' }],
    });
  });
});
