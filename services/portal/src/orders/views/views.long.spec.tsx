/** @jest-environment @happy-dom/jest-environment */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { notificationsStore } from '@mantine/notifications';
import { useSearch } from '@tanstack/react-router';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { refusal } from '../../fixtures/refusal.js';
import { readOrdersSearch } from '../filters/search.js';
import { sampleView } from './sample-view.js';
import { useColumns, useViews } from './use-views.js';
import { ViewsBar } from './views-bar.js';

const LIST = 'GET /views';
const MINE = sampleView({ id: 'v-mine', name: 'Mine', version: 3 });
const THEIRS = sampleView({ id: 'v-theirs', name: 'Theirs', shared: true, mine: false, ownerName: 'Marta Lind' });

function Bar() {
  const search = readOrdersSearch(useSearch({ strict: false }));
  const views = useViews(search);
  const [columns] = useColumns(views.open);
  return <ViewsBar {...views} search={search} columns={columns} hasNoList={false} />;
}

const show = (answers: ApiAnswers, role = 'BUYER', language: 'en' | 'zh' = 'en') =>
  showPart(<Bar />, Object.assign(answers, { 'GET /me': { role } }), language);
const openMenu = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `View ${name}: more` }));
  const menu = await screen.findByRole('menu');
  return Array.from(menu.querySelectorAll('[role^=menuitem]'), ({ textContent }) => textContent);
};
const choose = (item: string) => userEvent.click(screen.getByText(item));
const nameField = () => screen.findByLabelText<HTMLInputElement>('Name');
const rename = async (text: string) => {
  await userEvent.clear(await nameField());
  await userEvent.type(await nameField(), text);
};
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

describe('the bar of views', () => {
  // Preloads lazy modules, so that the first test does not wait for them.
  beforeAll(() =>
    Promise.all([
      import('./saved/saved-views.js'),
      import('./saved/view-dialog.js'),
      import('./saved/delete-dialog.js'),
    ]),
  );
  beforeEach(() => {
    localStorage.clear();
    dispatchEvent(new Event('online'));
  });

  it.each([
    ['VENDOR', 'en', ['All', 'Waiting for me', 'Due', 'Overdue', 'Changed by vendor']],
    ['BUYER', 'en', ['All', 'Waiting for approval', 'My orders', 'Due', 'Overdue', 'Changed by vendor']],
    ['VIEWER', 'zh', ['全部', '我的订单', '到期', '逾期', '供应商有修改']],
  ] as const)('offers a %s in %s the built-in views %j', async (role, language, names) => {
    show({ [LIST]: [] }, role, language);
    const links = () => screen.queryAllByRole('link').map(({ textContent }) => textContent);
    await waitFor(() => expect(links()).toEqual(names));
  });

  it("asks an administrator for confirmation before another user's view is deleted", async () => {
    const { requested } = show(
      { [LIST]: [THEIRS], 'DELETE /views/v-theirs': refusal(403, { detail: 'not yours' }) },
      'ADMIN',
    );
    expect(await openMenu('Theirs')).toEqual(['Rename or share', 'Open by default', 'Move up', 'Move down', 'Delete']);
    await choose('Delete');
    const dialog = await screen.findByRole('dialog', { name: 'Delete view “Theirs”?' });
    expect(requested.some((request) => request.startsWith('DELETE'))).toBe(false);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(requested).toContain('DELETE /views/v-theirs'));
  });

  it('shares a view on the version that the user saw, and asks again after a conflict', async () => {
    const answers: ApiAnswers = { [LIST]: [MINE], 'PUT /views/v-mine': refusal(412, { code: 'VERSION_MISMATCH' }) };
    const { sent } = show(answers);
    await openMenu('Mine');
    await choose('Rename or share');
    await userEvent.click(await screen.findByLabelText('Share'));
    answers[LIST] = [{ ...MINE, version: 4, query: { vendor: 'BOLT' } }];
    await userEvent.click(saveButton());
    expect((await screen.findByRole('alert')).textContent).toContain('changed elsewhere');
    answers['PUT /views/v-mine'] = { ...MINE, version: 5, shared: true };
    await userEvent.click(saveButton());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([
      { version: '"3"', body: { name: 'Mine', query: { vendor: 'ACME' }, columns: null, shared: true } },
      { version: '"4"', body: { name: 'Mine', query: { vendor: 'BOLT' }, columns: null, shared: true } },
    ]);
  });

  it('refuses a name that another view of the user has', async () => {
    const { sent } = show({ [LIST]: [MINE, sampleView({ id: 'v-other', name: 'Other' })] });
    await openMenu('Mine');
    await choose('Rename or share');
    await rename('Other');
    expect(screen.getByText('You have another view with this name.')).toBeTruthy();
    expect(saveButton().disabled).toBe(true);
    await userEvent.type(await nameField(), '{Enter}');
    expect(sent).toEqual([]);
  });

  it('reports why a view was not saved, and keeps the typed name', async () => {
    const detail = 'A user may have at most 50 views; delete one first.';
    const { router } = show({ [LIST]: [], 'POST /views': refusal(422, { code: 'TOO_MANY_VIEWS', detail }) });
    await screen.findAllByRole('link');
    await act(() => router.navigate({ to: '/', search: { overdue: true } as never }));
    await userEvent.click(await screen.findByRole('button', { name: 'Save view' }));
    await rename('New');
    await userEvent.click(saveButton());
    expect((await screen.findByRole('alert')).textContent).toContain(detail);
    expect((await nameField()).value).toBe('New');
  });

  it('does not navigate after a save if the user has left the page', async () => {
    let end: (view: unknown) => void = () => undefined;
    const { router, requested, cache } = show({ [LIST]: [], 'POST /views': new Promise((resolve) => (end = resolve)) });
    await screen.findAllByRole('link');
    await act(() => router.navigate({ to: '/', search: { overdue: true } as never }));
    await userEvent.click(await screen.findByRole('button', { name: 'Save view' }));
    await rename('New');
    await userEvent.click(saveButton());
    await userEvent.keyboard('{Escape}');
    await act(() => router.navigate({ to: '/orders/PO-1' as never }));
    end(sampleView({ id: 'v-new', name: 'New' }));
    await waitFor(() => expect(requested.filter((request) => request === 'GET /views')).toHaveLength(2));
    await waitFor(() => expect(cache.isMutating()).toBe(0));
    expect(router.state.location.pathname).toBe('/orders/PO-1');
  });

  it("reports in the user's language why a view was not deleted", async () => {
    show({ [LIST]: [MINE] }, 'BUYER', 'zh');
    await userEvent.click(await screen.findByRole('button', { name: /^视图 Mine/ }));
    await choose('删除');
    await waitFor(() =>
      expect(notificationsStore.getState().notifications.at(-1)?.message).toBe('请检查网络连接后重试。'),
    );
  });

  it('reports that the saved views failed to load, and loads them on retry', async () => {
    const answers: ApiAnswers = { [LIST]: refusal(503, { code: 'UNAVAILABLE' }) };
    show(answers);
    const alert = await screen.findByRole('alert');
    expect(screen.getByRole('link', { name: 'Overdue' })).toBeTruthy();
    answers[LIST] = [MINE];
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Mine' })).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
