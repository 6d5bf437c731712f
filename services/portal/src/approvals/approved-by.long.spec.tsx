/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { showPart } from '../fixtures/portal-part.js';
import { ApprovedBy } from './approved-by.js';

const show = (policy: string, role: string, language: 'en' | 'zh') =>
  showPart(
    <p data-testid="by">
      <ApprovedBy approval={{ policy, version: 3 }} />
    </p>,
    { 'GET /me': { role } },
    language,
  );
const text = () => screen.getByTestId('by').textContent;

describe('the approver of an automatic approval', () => {
  it.each([
    ['ACME', 'en', 'Approval policy ACME, version 3', 'Approval policy ACME'],
    ['default', 'en', 'Default approval policy, version 3', 'Default approval policy'],
    ['default', 'zh', '默认审批规则，版本 3', '默认审批规则'],
  ] as const)('links internal users to the policy: %s in %s', async (policy, language, words, name) => {
    show(policy, 'VIEWER', language);
    const link = await screen.findByRole('link', { name });
    expect(link.getAttribute('href')).toBe(`/approval-policies#${policy}`);
    expect(text()).toBe(words);
  });

  it('has no link for vendors', async () => {
    const { requested } = show('ACME', 'VENDOR', 'zh');
    await screen.findByText('审批规则 ACME，版本 3');
    expect(requested).toEqual(['GET /me']);
    expect(screen.queryByRole('link')).toBeNull();
  });
});
