/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { Activity } from '../api/schemas.js';
import { showPart } from '../fixtures/portal-part.js';
import { ActivityEntry } from './activity-panel.js';

const entry = (actorRole: Activity['actorRole']) =>
  ({
    id: 'h-1',
    poRef: 'PO-1',
    poNumber: 'PO-1',
    vendor: 'Acme Apparel Ltd.',
    action: 'SUBMIT',
    actionLabel: 'Submit',
    actionLabelZh: '提交',
    toStatusId: 200,
    toStatus: 'Pending Approval',
    toStatusZh: '待审批',
    occurredAt: '2027-03-01T10:00:00.000Z',
    comment: null,
    actorName: null,
    actorRole,
  }) as Activity;

describe('an activity without the name of a person', () => {
  it.each([
    ['VENDOR', 'Vendor'],
    ['SYSTEM', 'Inventory system'],
  ] as const)('shows the role %s as %s', async (role, name) => {
    showPart(<ActivityEntry entry={entry(role)} isNew={false} />, { 'GET /me': { role: 'BUYER' } });
    expect(await screen.findByText(name)).toBeTruthy();
  });
});
