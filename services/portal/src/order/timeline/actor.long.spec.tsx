/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showPart } from '../../fixtures/portal-part.js';
import { LatestComment } from '../header/latest-comment.js';
import type { HistoryEntry } from './entries.js';
import { Entry } from './entry.js';

const entry = (actor: Pick<HistoryEntry, 'actorId' | 'actorRole'>) =>
  ({
    id: 'h-1',
    action: 'SUBMIT',
    actionLabel: 'Submit',
    actionLabelZh: '提交',
    fromStatusId: 100,
    toStatusId: 200,
    toStatus: 'Pending Approval',
    toStatusZh: '待审批',
    occurredAt: '2027-03-01T10:00:00.000Z',
    comment: 'As agreed',
    actorName: null,
    changes: null,
    ...actor,
  }) as unknown as HistoryEntry;

describe('an actor without a name', () => {
  it.each([
    [{ actorId: 'vendor-7', actorRole: 'VENDOR' }, 'vendor-7'],
    [{ actorId: null, actorRole: 'SYSTEM' }, 'Inventory system'],
  ] as const)('%j is shown as %s', async (actor, name) => {
    showPart(<Entry entry={entry(actor)} isLinkTarget={false} />, {});
    expect(
      await screen.findByText((_, element) => element?.tagName === 'P' && element.textContent.startsWith(`${name} ·`)),
    ).toBeTruthy();
    cleanup();
    showPart(<LatestComment poRef="PO-1" />, {
      'GET /me': { role: 'BUYER' },
      'GET /purchase-orders/PO-1/history': [entry(actor)],
    });
    expect((await screen.findByRole('link')).textContent).toMatch(new RegExp(`^${name} · Submit`));
  });

  it.each([
    ['en', 'Approved automatically'],
    ['zh', '已自动批准'],
  ] as const)(
    'is not the inventory system if a policy approved and its comment is omitted, in %s',
    async (language, words) => {
      const approval = {
        ...entry({ actorId: null, actorRole: 'SYSTEM' }),
        action: 'APPROVE',
        comment: null,
        commentOmitted: true,
      };
      showPart(<Entry entry={approval as HistoryEntry} isLinkTarget={false} />, {}, language);
      expect(
        await screen.findByText(
          (_, element) => element?.tagName === 'P' && element.textContent.startsWith(`${words} ·`),
        ),
      ).toBeTruthy();
    },
  );
});
