/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { refusal } from '../../fixtures/refusal.js';
import { Problem, QueryBoundary } from './states.js';

const Counts = () => {
  const { queries } = useApi();
  const kpis = useQuery(queries.kpis());
  return (
    <QueryBoundary query={kpis} skeleton={<p>waiting</p>}>
      {(counts) => <p>{`${counts.new} new`}</p>}
    </QueryBoundary>
  );
};

describe('a section whose data fails to load', () => {
  it('reports that the service does not answer, and shows the data after a retry', async () => {
    const answers: ApiAnswers = {};
    showPart(<Counts />, answers);
    expect((await screen.findByRole('alert')).textContent).toContain('The service does not answer');
    answers['GET /dashboard/kpis'] = { new: 3 };
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('3 new')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['en', 'There is nothing here', 'Reference for support'],
    ['zh', '这里没有内容', '问题编号'],
  ] as const)('shows the support reference for a 404 and offers no retry: %s', async (language, title, reference) => {
    showPart(<Counts />, { 'GET /dashboard/kpis': refusal(404, { code: 'PO_NOT_FOUND' }) }, language);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(title);
    expect(alert.textContent).toContain(`${reference}r-1`);
    expect(screen.queryByRole('button', { name: /Try again|重试/ })).toBeNull();
  });

  it('allows no retry before the time in Retry-After, and counts the seconds without screen readers reading the alert again each second', async () => {
    const busy = refusal(429, { code: 'RATE_LIMITED' });
    busy.headers.set('retry-after', '2');
    showPart(<Counts />, { 'GET /dashboard/kpis': busy });
    const alert = await screen.findByRole('alert');
    expect(screen.getByRole('button', { name: 'Try again' })).toHaveProperty('disabled', true);
    const read = () => within(alert).getAllByText(/again/, { ignore: '[aria-hidden], [aria-hidden] *, button *' });
    const heard = new Set<string>();
    const listen = () =>
      void heard.add(
        read()
          .map(({ textContent }) => textContent)
          .join(),
      );
    listen();
    await waitFor(() => {
      listen();
      expect(screen.getByRole('button', { name: 'Try again' })).toHaveProperty('disabled', false);
    });
    listen();
    expect([...heard]).toEqual(['Try again in 2 s.', 'You can try again now.']);
  });
});

describe('a failure in place of a page', () => {
  it('names the browser tab, which had the name of the page before', async () => {
    document.title = 'PO-1 · Purchase orders';
    showPart(<Problem level="h1" error={new Error('broken')} />, {}, 'zh');
    const heading = await screen.findByRole('heading', { level: 1 });
    expect(document.title).toBe(`${heading.textContent} · 采购订单`);
  });
});
