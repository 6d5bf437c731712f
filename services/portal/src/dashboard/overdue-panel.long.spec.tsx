/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { showPart } from '../fixtures/portal-part.js';
import { OverduePanel } from './overdue-panel.js';

describe('the overdue orders by vendor', () => {
  it('link to the orders of the vendor code, because two codes can have one company name', async () => {
    const vendor = { vendor: 'Acme', quantity: 10 };
    const overdue = [
      { ...vendor, vendorCode: 'ACME-1', orders: 2 },
      { ...vendor, vendorCode: 'ACME-2', orders: 1 },
    ];
    showPart(<OverduePanel />, {
      'GET /me': { role: 'BUYER' },
      'GET /dashboard/schedule': { asOf: '2027-03-15', weeks: [], overdue, overdueTotal: 3 },
    });
    const links = await screen.findAllByRole('link', { name: /Acme/ });
    expect(
      links.map((link) => new URL(link.getAttribute('href') ?? '', 'http://x').searchParams.get('vendor')),
    ).toEqual(['ACME-1', 'ACME-2']);
  });
});
