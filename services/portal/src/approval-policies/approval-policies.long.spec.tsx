/** @jest-environment @happy-dom/jest-environment */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { POLICY_KEYS, type PolicyPreview } from '../api/approval-policies.js';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import { refusal } from '../fixtures/refusal.js';
import { ApprovalPoliciesPage } from './approval-policies-page.js';
import { TOLERANCES, policy } from './sample-policies.js';

const LIST = 'GET /approval-policies';
const WRITE = 'PUT /approval-policies/ACME';
const DELETE = 'DELETE /approval-policies/ACME';
const PREVIEW = 'POST /approval-policies/ACME/preview';
const VENDORS = { statuses: [], statusDetails: [], vendors: ['Acme Apparel Ltd.', 'Bolt Garments S.A.'] };
const COUNTS: PolicyPreview = { submissions: 200, approved: 131, recalled: 4 };

/** The test may replace answers later; new requests get the new answers. */
const show = (answers: ApiAnswers, role = 'ADMIN', language: 'en' | 'zh' = 'en') =>
  showPart(
    <ApprovalPoliciesPage />,
    Object.assign(answers, { 'GET /me': { role }, 'GET /po-filters': VENDORS }),
    language,
  );
const open = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name }));
  return screen.findByRole('dialog');
};
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const write = async (name: string, text: string) => {
  await userEvent.clear(field(name));
  if (text !== '') await userEvent.type(field(name), text);
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
const choose = async (group: string, option: string) =>
  userEvent.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name: option }));
const WRITTEN = { ...TOLERANCES, vendorCode: 'ACME' };
/** The requests that write, without previews. */
const written = (sent: readonly { body: unknown; version: string | null }[]) =>
  sent.filter(({ version }) => version !== null);
const dialogClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('the page of approval policies', () => {
  beforeEach(() => {
    dispatchEvent(new Event('online'));
  });

  it('shows each policy in words, with the user who changed it last', async () => {
    const ofDefault = policy({ vendorCode: null, enabled: false, maxDaysEarlier: 0, maxDaysLater: 0, maxAmount: [] });
    show({ [LIST]: [ofDefault, policy()] }, 'BUYER');
    const cards = within(await screen.findByRole('list', { name: 'Policies' })).getAllByRole('heading');
    expect(cards.map(({ textContent }) => textContent)).toEqual(['Default', 'ACME']);
    for (const text of [
      'up to 3 days earlier, up to 7 days later',
      'at most USD 10,000.00; no other currency',
      'no limit',
      'Disabled',
      'Enabled',
    ])
      expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getAllByText('up to 5% more, up to 2.5% less')).toHaveLength(2);
    expect(screen.getAllByText(/Version 3 · Sam Okafor/)).toHaveLength(2);
  });

  it.each(['BUYER', 'VIEWER'])('lets a %s read the policies, but change nothing', async (role) => {
    show({ [LIST]: [policy()] }, role);
    await screen.findByRole('button', { name: 'History: ACME' });
    expect(screen.queryByRole('button', { name: /Add|Change|Delete/ })).toBeNull();
  });

  it('changes a policy on the version that the user saw', async () => {
    const answers: ApiAnswers = { [LIST]: [policy()], [WRITE]: policy({ version: 4, maxDaysLater: 9 }) };
    const { sent } = show(answers);
    await open('Change: ACME');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    await write('Days later', '9');
    await choose('Factory', 'May change');
    answers[LIST] = [policy({ version: 4, maxDaysLater: 9, allowFactoryChange: true })];
    await save();
    await dialogClosed();
    expect(written(sent)).toEqual([
      { version: '"3"', body: { ...WRITTEN, maxDaysLater: 9, allowFactoryChange: true } },
    ]);
    expect(await screen.findByText('up to 3 days earlier, up to 9 days later')).toBeTruthy();
  });

  it('blocks input during a save, and allows it again if the save fails', async () => {
    let answer: (response: Response) => void = () => undefined;
    show({ [LIST]: [policy()], [WRITE]: new Promise<Response>((resolve) => (answer = resolve)) });
    await open('Change: ACME');
    await write('Days later', '9');
    await save();
    await userEvent.type(field('Days later'), '9');
    await choose('Factory', 'May change');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    answer(refusal(503, { code: 'UNAVAILABLE', detail: 'Later' }));
    await screen.findByRole('alert');
    await userEvent.type(field('Days later'), '0');
    expect(field('Days later').value).toBe('90');
  });

  it('shows errors beside the fields and does not save', async () => {
    const { sent } = show({ [LIST]: [policy()] });
    await open('Change: ACME');
    await write('Days earlier', '1.5');
    await write('Quantity: decrease', '100.01');
    await write('Price: increase', '2.5055');
    await userEvent.click(screen.getByRole('button', { name: 'Add a currency' }));
    for (const text of ['Enter a whole number.', 'At most 100%.', 'At most 2 decimals.'])
      expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryByText('Enter a value.')).toBeNull();
    await save();
    expect(screen.getAllByText('Enter a value.')).toHaveLength(2);
    await waitFor(() => expect(document.activeElement).toBe(field('Days earlier')));
    expect(screen.getByText('The numbers appear here once every field is valid.')).toBeTruthy();
    expect(written(sent)).toEqual([]);
  });

  it('has one amount row per currency and refuses duplicates', async () => {
    const { sent } = show({ [LIST]: [policy()], [WRITE]: policy({ version: 4 }) });
    await open('Change: ACME');
    await userEvent.click(screen.getByRole('button', { name: 'Add a currency' }));
    const currencies = screen.getAllByLabelText<HTMLInputElement>('Currency');
    const [, currency = document.body] = currencies;
    const [, amount = document.body] = screen.getAllByLabelText('Amount');
    await userEvent.type(currency, 'usd');
    await userEvent.type(amount, '2500.5');
    expect(screen.getByText('This currency is already listed.')).toBeTruthy();
    await userEvent.click(screen.getAllByRole('button', { name: 'Remove: USD' })[0] ?? document.body);
    expect(screen.queryByText('This currency is already listed.')).toBeNull();
    await save();
    await dialogClosed();
    expect(written(sent)[0]?.body).toEqual({ ...WRITTEN, maxAmount: [{ currency: 'USD', amount: 2500.5 }] });
  });

  it('adds a policy for a chosen company under the vendor code of its orders', async () => {
    const company = 'Bolt Garments S.A.';
    const answers: ApiAnswers = {
      [LIST]: [policy({ vendorCode: null })],
      'GET /purchase-orders': { data: [{ vendorCode: 'BOLT', vendor: company }], pagination: { total: 1 } },
      'PUT /approval-policies/BOLT': policy({ vendorCode: 'BOLT', version: 1 }),
    };
    const { requested, sent } = show(answers);
    await open('Add a policy');
    expect(screen.queryByRole('radiogroup', { name: 'Applies to' })).toBeNull();
    await userEvent.type(screen.getByRole('combobox', { name: 'Vendor' }), 'Bolt');
    await userEvent.click(await screen.findByRole('option', { name: company }));
    expect(await screen.findByText('Vendor code: BOLT')).toBeTruthy();
    await save();
    await dialogClosed();
    expect(requested).toContain('PUT /approval-policies/BOLT');
    expect(written(sent)[0]?.version).toBe('"0"');
  });

  it('adds a default policy if none exists', async () => {
    const { requested } = show({
      [LIST]: [],
      'PUT /approval-policies/default': policy({ vendorCode: null, version: 1 }),
    });
    expect(await screen.findByText('No policies yet')).toBeTruthy();
    await open('Add a policy');
    await choose('Applies to', 'All other vendors');
    await save();
    await dialogClosed();
    expect(requested).toContain('PUT /approval-policies/default');
  });

  it('shows the effect on past submissions once the user stops typing', async () => {
    const { sent } = show({ [LIST]: [policy()], [PREVIEW]: COUNTS });
    await open('Change: ACME');
    const text = 'Submissions checked: 200. Approved: 131. Of these, later recalled or rejected: 4.';
    const status = await screen.findByText(text);
    expect(status.getAttribute('role')).toBe('status');
    expect(sent[0]?.body).toEqual(WRITTEN);
    await write('Days later', '12');
    expect(screen.queryByText(text)).toBeNull();
    await screen.findByText(text);
    expect(sent.map(({ body }) => (body as typeof TOLERANCES).maxDaysLater)).toEqual([7, 12]);
  });

  it('shows the stored limits and keeps what was typed if the policy changed during the edit', async () => {
    const answers: ApiAnswers = { [LIST]: [policy()], [WRITE]: refusal(412, { code: 'VERSION_MISMATCH' }) };
    const { cache, sent } = show(answers);
    await open('Change: ACME');
    await write('Days later', '9');
    answers[LIST] = [policy({ version: 4, maxDaysEarlier: 1, maxDaysLater: 5 })];
    await save();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/^Somebody changed this policy.*up to 1 day earlier, up to 5 days later/);
    answers[LIST] = [policy({ version: 5, maxDaysEarlier: 2, maxDaysLater: 5 })];
    await act(() => cache.invalidateQueries({ queryKey: POLICY_KEYS.list }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/up to 2 days earlier/));
    // A new alert, because a screen reader reads each only once.
    expect(screen.getByRole('alert')).not.toBe(alert);
    answers[WRITE] = policy({ version: 6 });
    await save();
    await dialogClosed();
    expect(written(sent)[1]).toEqual({ version: '"5"', body: { ...WRITTEN, maxDaysEarlier: 2, maxDaysLater: 9 } });
  });

  it('creates a policy again if it was deleted during the edit', async () => {
    const answers: ApiAnswers = { [LIST]: [policy()], [WRITE]: policy({ version: 5 }) };
    const { cache, sent } = show(answers);
    await open('Change: ACME');
    answers[LIST] = [];
    await act(() => cache.invalidateQueries({ queryKey: POLICY_KEYS.list }));
    await screen.findByText(/^Somebody deleted this policy/);
    await write('Days later', '9');
    await save();
    await dialogClosed();
    expect(written(sent)[0]).toEqual({ version: '"0"', body: { ...WRITTEN, maxDaysLater: 9 } });
  });

  it('deletes a policy after confirmation, and asks again if it changed', async () => {
    const answers: ApiAnswers = { [LIST]: [policy()], [DELETE]: refusal(412, { code: 'VERSION_MISMATCH' }) };
    const { sent } = show(answers);
    const dialog = await open('Delete: ACME');
    answers[LIST] = [policy({ version: 4, maxDaysLater: 5 })];
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await within(dialog).findByText(/^Somebody changed this policy/)).toBeTruthy();
    expect(within(dialog).getByText('up to 3 days earlier, up to 5 days later')).toBeTruthy();
    answers[DELETE] = new Response(null, { status: 204 });
    answers[LIST] = [];
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await dialogClosed();
    expect(sent.map(({ version }) => version)).toEqual(['"3"', '"4"']);
    expect(await screen.findByText('No policies yet')).toBeTruthy();
  });

  it('does not ask again to delete a policy that was deleted meanwhile, even if it is created again', async () => {
    const answers: ApiAnswers = { [LIST]: [policy()] };
    const { cache } = show(answers);
    await open('Delete: ACME');
    for (const list of [[], [policy()]]) {
      answers[LIST] = list;
      await act(() => cache.invalidateQueries({ queryKey: POLICY_KEYS.list }));
      await dialogClosed();
    }
    expect(screen.getByRole('button', { name: 'Delete: ACME' })).toBeTruthy();
  });

  it.each(['Change: ACME', 'Delete: ACME'])('reports a missing connection at once: %s', async (name) => {
    show({ [LIST]: [policy()] });
    const dialog = await open(name);
    if (name.startsWith('Change')) await write('Days later', '9');
    dispatchEvent(new Event('offline'));
    await userEvent.click(within(dialog).getByRole('button', { name: /^(?:Save|Delete)$/ }));
    expect(await within(dialog).findByText('Check your connection, then try again.')).toBeTruthy();
    dispatchEvent(new Event('online'));
    const cancel = within(dialog).getAllByRole<HTMLButtonElement>('button', { name: 'Cancel' }).at(-1);
    expect(cancel?.disabled).toBe(false);
  });

  it('shows the history of a policy: the user, and the old and new values', async () => {
    const change = (version: number, changes: object | null) => ({
      version,
      policy: changes && { ...WRITTEN, ...changes },
      changedBy: { userId: 'u-9', name: 'Sam Okafor' },
      changedAt: '2027-03-01T08:00:00.000Z',
    });
    show(
      {
        [LIST]: [policy()],
        'GET /approval-policies/ACME/history': [
          change(4, { enabled: false }),
          change(3, null),
          change(2, { maxAmount: [], maxDaysLater: 9 }),
          change(1, {}),
        ],
      },
      'VIEWER',
      'zh',
    );
    const button = await screen.findByRole('button', { name: '历史：ACME' });
    await userEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    const steps = within(await screen.findByRole('list', { name: '历史：ACME' })).getAllByText(/^(修改|创建|删除)$/);
    expect(steps.map(({ textContent }) => textContent)).toEqual(['创建', '删除', '修改', '创建']);
    const [recreated, deleted, changed] = steps.map((step) => step.closest('li'));
    const changesOf = (entry: Element | null | undefined) =>
      [...(entry?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent);
    expect(changed?.textContent).toContain('Sam Okafor');
    expect(changesOf(changed)).toEqual(['推迟天数7天9天', '金额上限USD\u00a010,000.00不限']);
    expect([changesOf(recreated)[0], changesOf(deleted)]).toEqual(['启用否', []]);
  });
});
