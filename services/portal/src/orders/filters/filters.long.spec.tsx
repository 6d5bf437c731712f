/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it, jest } from '@jest/globals';
import { notificationsStore } from '@mantine/notifications';
import { STATUSES } from '@po/contracts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { FilterBar } from './filter-bar.js';
import type { OrdersSearch } from './search.js';

const ANSWERS = {
  'GET /po-filters': {
    statuses: STATUSES.map(({ status }) => status),
    statusDetails: STATUSES,
    vendors: ['Acme'],
    buyers: [
      { name: 'Dana', email: 'Dana@example.com' },
      { name: null, email: 'li@example.com' },
    ],
  },
};
const show = (search: OrdersSearch, role: string, language: 'en' | 'zh' = 'en') =>
  showPart(<FilterBar search={search} />, { ...ANSWERS, 'GET /me': { role } }, language);
const itemsOf = async (button: string) => {
  await userEvent.click(await screen.findByRole('button', { name: button }));
  const items = await screen.findAllByRole('menuitemcheckbox');
  return items.map((item) => `${item.textContent}: ${item.getAttribute('aria-checked')}`);
};

describe('the filter by due tasks', () => {
  it.each([
    ['VENDOR', 'en', 'Due', ['Reply due: true', 'Ex-factory soon: false', 'Ex-factory overdue: false']],
    ['BUYER', 'en', 'Due', ['Approval due: false', 'Ex-factory overdue: false', 'Delivery confirmation due: false']],
    ['VENDOR', 'zh', '到期', ['回复到期: true', '即将离厂: false', '离厂逾期: false']],
    ['VIEWER', 'zh', '到期', ['审批到期: false', '离厂逾期: false', '确认收货到期: false']],
  ] as const)('offers the rules of a %s in %s', async (role, language, button, offered) => {
    show({ due: ['REPLY_DUE'] }, role, language);
    expect(await itemsOf(button)).toEqual(offered);
  });

  it('adds a chosen rule to the URL, and a chip removes it', async () => {
    const { router } = show({ due: ['EX_FACTORY_OVERDUE'], overdue: true }, 'BUYER');
    await itemsOf('Due');
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Approval due' }));
    expect(router.state.location.search).toEqual({ due: ['APPROVAL_DUE', 'EX_FACTORY_OVERDUE'], overdue: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: Ex-factory overdue' }));
    expect(router.state.location.search).toEqual({ overdue: true });
  });
});

describe('a filter whose choices are not loaded', () => {
  it('says so until they are there', async () => {
    let end: (answer: unknown) => void = () => undefined;
    const filters = new Promise((resolve) => (end = resolve));
    showPart(<FilterBar search={{}} />, { 'GET /me': { role: 'BUYER' }, 'GET /po-filters': filters });
    await userEvent.click(await screen.findByRole('button', { name: 'Vendor' }));
    expect((await screen.findByRole('menu')).textContent).toBe('Loading');
    end(ANSWERS['GET /po-filters']);
    expect(await screen.findByRole('menuitemcheckbox', { name: 'Acme' })).toBeTruthy();
  });

  it('offers to load them again after a failure', async () => {
    const answers: ApiAnswers = { 'GET /me': { role: 'BUYER' } };
    showPart(<FilterBar search={{}} />, answers);
    for (const button of ['Status', 'Buyer', 'Vendor']) {
      await userEvent.click(await screen.findByRole('button', { name: button }));
      await screen.findByRole('menuitem', { name: 'The choices could not be loaded. Try again' });
      await userEvent.keyboard('{Escape}');
    }
    Object.assign(answers, ANSWERS);
    await userEvent.click(screen.getByRole('button', { name: 'Vendor' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'The choices could not be loaded. Try again' }));
    await userEvent.click(screen.getByRole('button', { name: 'Vendor' }));
    expect(await screen.findByRole('menuitemcheckbox', { name: 'Acme' })).toBeTruthy();
  });
});

describe('the search field', () => {
  /** The filter bar with a search text that buttons change, as the router does after navigation. */
  function Search() {
    const [search, go] = useState('');
    return (
      <>
        <FilterBar search={search === '' ? {} : { search }} />
        {['abc', 'other', ''].map((to) => (
          <button key={to} type="button" onClick={() => go(to)}>
            {to || 'none'}
          </button>
        ))}
      </>
    );
  }

  it('keeps newer input while an earlier text reaches the URL, adopts a search from elsewhere, and is cleared by Escape', async () => {
    const { router } = showPart(<Search />, ANSWERS);
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Filter by PO number, style or SKU' });
    await act(() => router.navigate({ to: '/orders' as never }));
    await userEvent.type(field, 'abc');
    await waitFor(() => expect(router.state.location.search).toEqual({ search: 'abc' }));
    // Without a pause, because the text goes to the URL after 250 ms.
    fireEvent.change(field, { target: { value: 'abcd' } });
    fireEvent.click(screen.getByRole('button', { name: 'abc' }));
    expect(field.value).toBe('abcd');
    await userEvent.click(screen.getByRole('button', { name: 'other' }));
    expect(field.value).toBe('other');
    await userEvent.type(field, '{Escape}');
    await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all' }));
    expect(field.value).toBe('');
  });

  it.each([
    ['PO-1\r\nPO-2\r\n', { poRef: ['PO-1', 'PO-2'], overdue: true }],
    ['red shirt', { search: 'red shirt', overdue: true }],
  ])('turns pasted PO numbers into a filter, and searches for other texts: %j', async (text, search) => {
    const { router } = showPart(<FilterBar search={{ overdue: true }} />, ANSWERS);
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Filter by PO number, style or SKU' });
    await act(() => router.navigate({ to: '/orders' as never, search: { overdue: true } as never }));
    await userEvent.click(field);
    await userEvent.paste(text);
    await waitFor(() => expect(router.state.location.search).toEqual(search));
    expect(field.value).toBe('search' in search ? text : '');
  });

  it('says if it uses only the first of too many pasted PO numbers', async () => {
    const { router } = showPart(<FilterBar search={{}} />, ANSWERS);
    await userEvent.click(await screen.findByRole('textbox'));
    await userEvent.paste(Array.from({ length: 201 }, (_, number) => `PO-${number}\n`).join(''));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ poRef: { length: 200 } }));
    const [shown] = notificationsStore.getState().notifications;
    expect(shown?.message).toBe('Only the first 200 of 201 PO numbers are used.');
  });

  it('drops text that the user cleared before it reached the URL', async () => {
    const { router } = showPart(<Search />, ANSWERS);
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Filter by PO number, style or SKU' });
    await act(() => router.navigate({ to: '/orders' as never }));
    await userEvent.click(screen.getByRole('button', { name: 'other' }));
    jest.useFakeTimers();
    fireEvent.change(field, { target: { value: 'other text' } });
    fireEvent.click(screen.getByRole('button', { name: 'none' }));
    act(() => jest.runAllTimers());
    jest.useRealTimers();
    expect([field.value, router.state.location.search]).toEqual(['', {}]);
  });
});

describe('the filter by buyer', () => {
  it('offers the user and all buyers, and adds the chosen buyer to the URL', async () => {
    const { router } = show({ buyer: 'dana@EXAMPLE.com' }, 'BUYER');
    expect(await itemsOf('Buyer')).toEqual(['Me: false', 'DanaDana@example.com: true', 'li@example.com: false']);
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Me' }));
    expect(router.state.location.search).toEqual({ buyer: 'me' });
  });

  it('is not offered to a vendor', async () => {
    show({}, 'VENDOR');
    expect(await screen.findByRole('button', { name: 'Status' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Buyer' })).toBeNull();
  });

  it.each([
    ['me', 'en', 'Remove filter: Buyer Me'],
    ['me', 'zh', '移除筛选：采购员 我'],
    ['dana@example.com', 'en', 'Remove filter: Buyer Dana'],
    ['li@example.com', 'en', 'Remove filter: Buyer li@example.com'],
    ['nobody@example.com', 'en', 'Remove filter: Buyer nobody@example.com'],
  ] as const)('has a chip that removes the filter for %s in %s', async (buyer, language, name) => {
    const { router } = show({ buyer, overdue: true }, 'BUYER', language);
    await userEvent.click(await screen.findByRole('button', { name }));
    expect(router.state.location.search).toEqual({ overdue: true });
  });
});

describe('the filter by order numbers', () => {
  it('has one chip per number for a few numbers, which removes only that number', async () => {
    const { router } = show({ poRef: ['PO-1', 'PO-2'] }, 'VENDOR');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: PO number PO-2' }));
    expect(router.state.location.search).toEqual({ poRef: ['PO-1'] });
  });

  it('has one chip for many numbers, which removes them all', async () => {
    const { router } = show({ poRef: ['1', '2', '3', '4', '5', '6'], overdue: true }, 'VENDOR');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: PO number 6' }));
    expect(router.state.location.search).toEqual({ overdue: true });
  });
});
