/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { STATUSES, kpisOf } from '@po/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import { Tiles } from './tiles.js';
import { WeeksPanel } from './weeks-panel.js';

const ANSWERS: ApiAnswers = {
  'GET /po-filters': {
    statuses: STATUSES.map(({ status }) => status),
    statusDetails: STATUSES,
    vendors: [],
    buyers: [],
  },
  'GET /dashboard/kpis': kpisOf((statusId) => statusId),
  'GET /me': { role: 'BUYER' },
};
const SCHEDULE = { asOf: '2027-03-15', weeks: [], overdue: [], overdueTotal: 4 };
const tile = (name: RegExp) => screen.findByRole('link', { name });

describe('the tiles of the dashboard', () => {
  it.each([
    ['BUYER', 'Waiting for approval200', 'Pending+Approval'],
    ['VENDOR', 'Waiting for me250', 'New%22%2C%22In+Revision'],
  ])(
    'link a %s to the orders that wait for their side, counted by the statuses of that role',
    async (role, text, address) => {
      showPart(<Tiles />, { ...ANSWERS, 'GET /me': { role }, 'GET /dashboard/schedule': SCHEDULE });
      const waiting = await tile(/Waiting for/);
      expect(waiting.textContent).toBe(text);
      expect(waiting.getAttribute('href')?.replaceAll('%20', '+')).toContain(address);
    },
  );

  it('have no tile for waiting orders for a viewer', async () => {
    showPart(<Tiles />, { ...ANSWERS, 'GET /me': { role: 'VIEWER' }, 'GET /dashboard/schedule': SCHEDULE });
    expect((await tile(/^Overdue/)).textContent).toBe('Overdue4');
    expect(screen.queryByText(/Waiting for/)).toBeNull();
  });

  it.each([
    ['VENDOR', 'Replies due', 'REPLY_DUE'],
    ['BUYER', 'Approvals due', 'APPROVAL_DUE'],
  ])('count the orders that a %s was reminded of, and link to them', async (role, label, rule) => {
    const due = { data: [], pagination: { total: 3 } };
    const { requested } = showPart(<Tiles />, { ...ANSWERS, 'GET /me': { role }, 'GET /purchase-orders': due });
    const link = await tile(new RegExp(`^${label}`));
    await waitFor(() => expect(link.textContent).toBe(`${label}3`));
    expect(link.getAttribute('href')).toContain(rule);
    expect(requested).toContain(`GET /purchase-orders?due=${rule}&limit=1`);
  });

  it('still work if the schedule fails to load, and get its count after a retry', async () => {
    const answers = { ...ANSWERS };
    showPart(
      <>
        <Tiles />
        <WeeksPanel />
      </>,
      answers,
    );
    await screen.findByRole('alert');
    expect((await tile(/^Overdue/)).textContent).toBe('Overdue–');
    expect((await tile(/^Shipped/)).textContent).toBe('Shipped500');
    answers['GET /dashboard/schedule'] = SCHEDULE;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Nothing is due')).toBeTruthy();
    expect((await tile(/^Overdue/)).textContent).toBe('Overdue4');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
