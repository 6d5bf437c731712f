/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { showPart } from '../fixtures/portal-part.js';
import { AutomaticShare } from './automatic-share.js';

const APPROVALS = 'GET /dashboard/approvals';
const show = (role: string, answers: object, language: 'en' | 'zh' = 'en') =>
  showPart(<AutomaticShare />, { 'GET /me': { role }, ...answers }, language);

describe('the share of automatic approvals', () => {
  it.each([
    ['en', 'Approvals in the last 30 days: 1,210, 62% automatic'],
    ['zh', '最近 30 天的 1,210 次批准中 62% 为自动批准'],
  ] as const)('is shown to internal users in %s, with a link to the policies', async (language, name) => {
    show('BUYER', { [APPROVALS]: { days: 30, approved: 1_210, automatic: 750 } }, language);
    expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe('/approval-policies');
  });

  it.each([
    ['nothing was approved', { [APPROVALS]: { days: 30, approved: 0, automatic: 0 } }],
    ['the server does not count it yet', {}],
  ])('is hidden if %s', async (_when, answers) => {
    const { requested } = show('ADMIN', answers);
    await waitFor(() => expect(requested).toContain(APPROVALS));
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('is not requested for vendors', async () => {
    const { requested } = show('VENDOR', { [APPROVALS]: { days: 30, approved: 5, automatic: 5 } });
    await waitFor(() => expect(requested).toEqual(['GET /me']));
    expect(screen.queryByRole('link')).toBeNull();
  });
});
