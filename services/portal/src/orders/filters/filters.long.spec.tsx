/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { STATUSES } from '@po/contracts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { showPart } from '../../fixtures/portal-part.js';
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

describe('the filter by what is due', () => {
  it.each([
    ['VENDOR', 'en', 'Due', ['Reply due: true', 'Ex-factory soon: false', 'Ex-factory overdue: false']],
    ['BUYER', 'en', 'Due', ['Approval due: false', 'Ex-factory overdue: false', 'Delivery confirmation due: false']],
    ['VENDOR', 'zh', '到期', ['应回复: true', '即将离厂: false', '离厂逾期: false']],
    ['VIEWER', 'zh', '到期', ['应审批: false', '离厂逾期: false', '应确认收货: false']],
  ] as const)('offers the rules of a %s in %s', async (role, language, button, offered) => {
    show({ due: ['REPLY_DUE'] }, role, language);
    expect(await itemsOf(button)).toEqual(offered);
  });

  it('leads to the list with the rule, and from its chip to the list without it', async () => {
    const { router } = show({ due: ['EX_FACTORY_OVERDUE'], overdue: true }, 'BUYER');
    await itemsOf('Due');
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Approval due' }));
    expect(router.state.location.search).toEqual({ due: ['APPROVAL_DUE', 'EX_FACTORY_OVERDUE'], overdue: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: Ex-factory overdue' }));
    expect(router.state.location.search).toEqual({ overdue: true });
  });
});

describe('the search', () => {
  /** The bar on an address that buttons move, as the router does when it is ready. */
  function Search() {
    const [search, go] = useState('');
    return (
      <>
        <FilterBar search={search === '' ? {} : { search }} />
        {['abc', 'other'].map((to) => (
          <button key={to} type="button" onClick={() => go(to)}>
            {to}
          </button>
        ))}
      </>
    );
  }

  it('keeps what is typed while its beginning is on its way to the address, and gives way to what else leads there', async () => {
    const { router } = showPart(<Search />, ANSWERS);
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Filter by PO number, style or SKU' });
    await act(() => router.navigate({ to: '/orders' as never }));
    await userEvent.type(field, 'abc');
    await waitFor(() => expect(router.state.location.search).toEqual({ search: 'abc' }));
    // At once: what is typed goes to the address after a quarter of a second.
    fireEvent.change(field, { target: { value: 'abcd' } });
    fireEvent.click(screen.getByRole('button', { name: 'abc' }));
    expect(field.value).toBe('abcd');
    await userEvent.click(screen.getByRole('button', { name: 'other' }));
    expect(field.value).toBe('other');
  });
});

describe('the filter by buyer', () => {
  it('offers the caller and everybody who buys, and leads to the list of one', async () => {
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
  ] as const)('has a chip for %s in %s, which takes it away', async (buyer, language, name) => {
    const { router } = show({ buyer, overdue: true }, 'BUYER', language);
    await userEvent.click(await screen.findByRole('button', { name }));
    expect(router.state.location.search).toEqual({ overdue: true });
  });
});

describe('the filter by order numbers', () => {
  it('has a chip for each of a few, which takes that one away', async () => {
    const { router } = show({ poRef: ['PO-1', 'PO-2'] }, 'VENDOR');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: PO number PO-2' }));
    expect(router.state.location.search).toEqual({ poRef: ['PO-1'] });
  });

  it('has one chip for many, which takes them all away', async () => {
    const { router } = show({ poRef: ['1', '2', '3', '4', '5', '6'], overdue: true }, 'VENDOR');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: PO number 6' }));
    expect(router.state.location.search).toEqual({ overdue: true });
  });
});
