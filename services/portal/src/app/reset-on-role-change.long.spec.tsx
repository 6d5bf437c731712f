/** @jest-environment @happy-dom/jest-environment */
import { useState } from 'react';
import { expect, it } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useApi } from '../api/api.js';
import { showPart } from '../fixtures/portal-part.js';
import { ResetOnRoleChange } from './reset-on-role-change.js';

const me = (role: string, vendorCode: string | null) => ({ userId: 'u-1', role, vendorCode, unreadNotifications: 0 });
const KPIS = 'GET /dashboard/kpis';

function Page() {
  const { queries } = useApi();
  const [tokens, setTokens] = useState(1);
  const { data } = useQuery(queries.me());
  useQuery({ ...queries.kpis(), staleTime: Infinity });
  return (
    <>
      <ResetOnRoleChange tokens={tokens} />
      <p>{data?.vendorCode}</p>
      <button type="button" onClick={() => setTokens(tokens + 1)}>
        renew
      </button>
    </>
  );
}

it('a renewed token reloads all data if its vendor changed, and only the user if it did not', async () => {
  const answers: Record<string, unknown> = { 'GET /me': me('VENDOR', 'ACME'), [KPIS]: {} };
  const { requested } = showPart(<Page />, answers);
  await screen.findByText('ACME');
  await waitFor(() => expect(requested.toSorted()).toEqual([KPIS, 'GET /me']));
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(requested.at(-1)).toBe('GET /me'));
  answers['GET /me'] = me('VENDOR', 'BOLT');
  fireEvent.click(screen.getByRole('button'));
  await screen.findByText('BOLT');
  await waitFor(() => expect(requested.filter((request) => request === KPIS)).toHaveLength(2));
});
