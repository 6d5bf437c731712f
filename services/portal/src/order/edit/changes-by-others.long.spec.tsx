/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { KEYS } from '../../api/keys.js';
import type { OrderDetail } from '../../api/schemas.js';
import { showPart } from '../../fixtures/portal-part.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import { newDraft, withTyped } from '../conflict/three-way-merge.js';
import { readDraft, serializeDraft, valuesOf } from '../fields/header-fields.js';
import { sampleHead } from '../../fixtures/sample-head.js';
import { ChangesByOthers } from './changes-by-others.js';
import { EditedOrder } from './edited-order.js';

const DRAFT = storageKey('u-1', ['order', 'PO-1', 'head']);
const order = (version: number, originalXfd: string) =>
  sampleHead({ version, statusId: 100, originalXfd, editableFields: ['vendor_reply_xfd'] });
const NOW = order(2, '2027-03-12');
const APPROVED = sampleHead({ version: 3, statusId: 300, editableFields: ['container_number'] });

const Part = ({ now = NOW }: { now?: OrderDetail }) => (
  <EditedOrder order={now}>{({ head }) => <ChangesByOthers head={head} />}</EditedOrder>
);

describe('the notice of changes by others', () => {
  it.each([
    ['Keep mine', '2027-03-08', null, 'The inventory system'],
    ['Take theirs', undefined, 'vendor-7', 'vendor-7'],
  ])(
    'reports a changed original date under a typed reply, and resolves it by "%s"',
    async (choice, left, actorId, who) => {
      const before = valuesOf(order(1, '2027-03-01'));
      const draft = withTyped(newDraft(before), before, 'vendor_reply_xfd', '2027-03-08');
      TEXTS.set(DRAFT, serializeDraft(draft));
      showPart(<Part />, {
        'GET /purchase-orders/PO-1/history': [{ occurredAt: NOW.updatedAt, actorId, actorName: null }],
        'GET /po-filters': { statusDetails: [] },
      });
      await screen.findByText(`${who} changed 1 field`);
      const notice = within(screen.getByRole('region', { name: 'What changed in the meantime' }));
      expect(notice.getByRole('alert').textContent).toContain('You both changed Reply ex-factory.');
      await userEvent.click(notice.getByRole('button', { name: 'Compare' }));
      const [, row] = await screen.findAllByRole('row');
      expect(row?.textContent).toBe('Reply ex-factory1 Mar 202712 Mar 20278 Mar 2027');
      await userEvent.keyboard('{Escape}');
      await userEvent.click(notice.getByRole('button', { name: choice, hidden: true }));
      expect(readDraft(TEXTS.get(DRAFT))?.mine.get('vendor_reply_xfd')).toBe(left);
    },
  );

  it.each([
    ['vendor_reply_comment', ''],
    ['container_number', ' · This does not affect what you typed.'],
  ])(
    'names the approval policy that changed the status, and says if that does not affect a typed %s',
    async (field, effect) => {
      const before = valuesOf(order(1, '2027-03-01'));
      TEXTS.set(DRAFT, serializeDraft(withTyped(newDraft(before), before, field, 'typed')));
      const comment = 'Approval policy default, version 2';
      const approval = { action: 'APPROVE', actorRole: 'SYSTEM', actorId: null, actorName: null, comment };
      showPart(<Part now={APPROVED} />, {
        'GET /purchase-orders/PO-1/history': [{ ...approval, occurredAt: APPROVED.updatedAt }],
        'GET /po-filters': { statusDetails: [] },
      });
      const message = await screen.findByText('Default approval policy changed 1 field');
      expect(message.parentElement?.textContent).toBe(`Default approval policy changed 1 field${effect}`);
    },
  );

  it.each([
    ['container_number', 'me', 0],
    ['container_number', 'colleague', 1],
    ['vendor_reply_xfd', 'me', 1],
  ])('with a typed %s reports a status changed by %s: %i notices', async (field, actorId, count) => {
    const before = valuesOf({
      ...order(1, '2027-03-01'),
      vendorReplyXfd: field === 'vendor_reply_xfd' ? '2027-03-05' : null,
    });
    TEXTS.set(DRAFT, serializeDraft(withTyped(newDraft(before), before, field, '2027-03-08')));
    const now = sampleHead({ version: 2, statusId: 150, editableFields: ['vendor_reply_xfd'] });
    const { cache } = showPart(<Part now={now} />, {
      'GET /me': { userId: 'me' },
      'GET /purchase-orders/PO-1/history': [{ occurredAt: now.updatedAt, actorId, actorName: null }],
      'GET /po-filters': { statusDetails: [] },
    });
    await waitFor(() => expect(cache.getQueryData(KEYS.history('PO-1'))).toBeTruthy());
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    await waitFor(() => expect(screen.queryAllByRole('alert')).toHaveLength(count));
    // A later notice does not include the user's own transition either.
    const status = (count === 0 ? valuesOf(now) : before).get('statusId');
    await waitFor(() => expect(readDraft(TEXTS.get(DRAFT))?.base.get('statusId')).toBe(status));
  });
});
