/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import { PolicyDialog } from './policy-dialog.js';
import { policy } from './sample-policies.js';

const COMPANIES = { 'GET /po-filters': { vendors: ['Acme Apparel Ltd.', 'Acme Textiles', 'ACME TEXTILES'] } };
/** The orders found by a company name. The newest one is of a company whose code is this name. */
const codesOf = (company: string, ...codes: string[]) => ({
  [`GET /purchase-orders?vendor=${encodeURIComponent(company)}&limit=200`]: {
    data: [
      { vendorCode: company, vendor: 'Bolt Garments S.A.' },
      ...codes.map((vendorCode) => ({ vendorCode, vendor: company })),
    ],
  },
});

/** Types into the vendor field of a new policy. */
async function type(text: string, answers: ApiAnswers) {
  const shown = showPart(<PolicyDialog name={null} policies={[policy()]} close={() => undefined} />, answers);
  await userEvent.type(await screen.findByRole('combobox', { name: 'Vendor' }), text);
  return shown;
}

describe('the vendor of an approval policy', () => {
  it.each([
    ['acme apparel ltd.', 'Acme Apparel Ltd.'],
    ['ACME TEXTILES', 'ACME TEXTILES'],
    ['Acme textiles', 'Acme Textiles'],
  ])('is found by company name in any case, which is never taken for a code: %s', async (text, company) => {
    await type(text, { ...COMPANIES, ...codesOf(company, 'CODE-7') });
    expect(await screen.findByText('Vendor code: CODE-7')).toBeTruthy();
  });

  it('must be typed as a code if the company has several', async () => {
    const { sent } = await type('Acme Textiles', { ...COMPANIES, ...codesOf('Acme Textiles', 'CODE-8', 'CODE-7') });
    const several = 'This company has several vendor codes: CODE-7, CODE-8. Type one of them.';
    expect(await screen.findByText(several)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect([screen.queryByText(/^Vendor code:/), sent.filter(({ version }) => version !== null)]).toEqual([null, []]);
    const field = screen.getByRole('combobox', { name: 'Vendor' });
    await userEvent.clear(field);
    await userEvent.type(field, 'CODE-7');
    expect(await screen.findByText('Vendor code: CODE-7')).toBeTruthy();
    expect(screen.queryByText(several)).toBeNull();
  });

  it('is the typed code if no company has that name, but not a code with a policy or a reserved one', async () => {
    const { sent } = await type('NEW-1', COMPANIES);
    expect(await screen.findByText('Vendor code: NEW-1')).toBeTruthy();
    const field = screen.getByRole('combobox', { name: 'Vendor' });
    await userEvent.clear(field);
    await userEvent.type(field, 'ACME');
    expect(screen.getByText('This vendor already has a policy. Change that one.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(sent.filter(({ version }) => version !== null)).toEqual([]);
    await userEvent.clear(field);
    await userEvent.type(field, 'Default');
    expect(screen.getByText(/^A vendor code has at most 50/)).toBeTruthy();
  });

  it.each([
    ['the companies', {}],
    ['its code', COMPANIES],
  ])('has no code until %s can be read again after a failure', async (_what, loaded) => {
    const answers: ApiAnswers = { ...loaded };
    await type('Acme Textiles', answers);
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText(/^(?:Vendor code:|A vendor code has at most)/)).toBeNull();
    Object.assign(answers, COMPANIES, codesOf('Acme Textiles', 'CODE-8'));
    await userEvent.click(again);
    expect(await screen.findByText('Vendor code: CODE-8')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});
