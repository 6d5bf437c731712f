/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it } from '@jest/globals';
import { STATUSES } from '@po/contracts';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { showPart } from '../../fixtures/portal-part.js';
import { FilterBar } from './filter-bar.js';
import type { OrdersSearch } from './search.js';

const ANSWERS = {
  'GET /po-filters': { statuses: STATUSES.map(({ status }) => status), statusDetails: STATUSES, vendors: ['Acme'] },
};
const show = (search: OrdersSearch, role: string, language: 'en' | 'zh' = 'en') =>
  showPart(<FilterBar search={search} role={role} />, ANSWERS, language);
const rules = async (button: string) => {
  await userEvent.click(await screen.findByRole('button', { name: button }));
  const items = await screen.findAllByRole('menuitemcheckbox');
  return items.map((item) => `${item.textContent}: ${item.getAttribute('aria-checked')}`);
};

describe('the filter by what is due', () => {
  afterEach(cleanup);

  it.each([
    ['VENDOR', 'en', 'Due', ['Reply due: true', 'Ex-factory soon: false', 'Ex-factory overdue: false']],
    ['BUYER', 'en', 'Due', ['Approval due: false', 'Ex-factory overdue: false', 'Delivery due: false']],
    ['VENDOR', 'zh', '到期', ['回复到期: true', '即将离厂: false', '离厂逾期: false']],
    ['VIEWER', 'zh', '到期', ['审批到期: false', '离厂逾期: false', '收货到期: false']],
  ] as const)('offers the rules of a %s in %s', async (role, language, button, offered) => {
    show({ due: ['REPLY_DUE'] }, role, language);
    expect(await rules(button)).toEqual(offered);
  });

  it('leads to the list with the rule, and from its chip to the list without it', async () => {
    const { router } = show({ due: ['EX_FACTORY_OVERDUE'], overdue: true }, 'BUYER');
    await rules('Due');
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Approval due' }));
    expect(router.state.location.search).toEqual({ due: ['APPROVAL_DUE', 'EX_FACTORY_OVERDUE'], overdue: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: Ex-factory overdue' }));
    expect(router.state.location.search).toEqual({ overdue: true });
  });
});
