/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import { VendorField, useVendorChoice } from './vendor-field.js';

const COMPANIES: ApiAnswers = {
  'GET /po-filters': { vendors: ['Acme Apparel Ltd.', 'Acme Textiles', 'ACME TEXTILES'] },
};
const ofOrders = (vendorCode: string) => ({ data: [{ vendorCode }], pagination: { total: 1 } });

function Field() {
  const [typed, type] = useState('');
  const vendor = useVendorChoice(typed);
  return (
    <>
      <VendorField vendor={vendor} typed={typed} type={type} isTaken={false} />
      <output>{vendor.code ?? 'no code'}</output>
    </>
  );
}

/** Types once the companies have been requested. */
async function type(text: string, answers: ApiAnswers) {
  const { requested } = showPart(<Field />, answers);
  const field = await screen.findByRole('combobox');
  await waitFor(() => expect(requested).toContain('GET /po-filters'));
  await userEvent.type(field, text);
}
const code = () => screen.getByRole('status').textContent;

describe('the vendor of an approval policy', () => {
  it.each([
    ['acme apparel ltd.', 'Acme+Apparel+Ltd.'],
    ['ACME TEXTILES', 'ACME+TEXTILES'],
    ['Acme textiles', 'Acme+Textiles'],
  ])('is found by company name in any case, which is never taken for a code: %s', async (text, company) => {
    const orders = `GET /purchase-orders?vendor=${company.replaceAll('+', '%20')}&limit=1`;
    await type(text, { ...COMPANIES, [orders]: ofOrders('ACME') });
    expect(await screen.findByText('Vendor code: ACME')).toBeTruthy();
    expect(code()).toBe('ACME');
  });

  it('is the typed code if no company has that name', async () => {
    await type('NEW-1', COMPANIES);
    expect(await screen.findByText('Vendor code: NEW-1')).toBeTruthy();
  });

  it('has no code until the companies are loaded', async () => {
    await type('Acme Textiles', {});
    expect(code()).toBe('no code');
    expect(screen.queryByText(/^A vendor code has at most/)).toBeNull();
  });
});
