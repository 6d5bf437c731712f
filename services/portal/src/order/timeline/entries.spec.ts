import { describe, expect, it } from '@jest/globals';
import { type HistoryEntry, differencesOf, latestComment } from './entries.js';

const entry = (changes: Partial<HistoryEntry>): HistoryEntry =>
  ({
    id: 'h',
    comment: null,
    changes: null,
    fromStatusId: 100,
    toStatusId: 200,
    actorRole: 'VENDOR',
    ...changes,
  }) as HistoryEntry;
const cell = (size: string, field: string, from: number, to: number) => ({
  rowHash: `hash-${size}`,
  code: 'c',
  style: 'KP-2210',
  color: 'BLK',
  size,
  field,
  from,
  to,
});

describe('entries of a timeline', () => {
  it('has no comment of the other side where an approval policy approved', () => {
    const approval = entry({ action: 'APPROVE', actorRole: 'SYSTEM', comment: 'Approval policy ACME, version 3' });
    expect(latestComment([approval, entry({ comment: 'why' })], 'BUYER')).toBeNull();
  });

  it.each([
    ['what the other side wrote', [{ comment: 'why', actorRole: 'BUYER' }], 'why'],
    ['nothing of one`s own side', [{ comment: 'why', actorRole: 'VENDOR' }], undefined],
    ['nothing where nothing was written', [{ actorRole: 'BUYER' }], undefined],
    ['nothing from before', [{ actorRole: 'BUYER' }, { comment: 'why', actorRole: 'BUYER' }], undefined],
    ['nothing yet', [], undefined],
    [
      'what was written before the source changed something',
      [
        { fromStatusId: 150, toStatusId: 150, comment: 'revision 2', actorRole: 'SYSTEM' },
        { comment: 'why', actorRole: 'BUYER' },
      ],
      'why',
    ],
  ] as const)('have as the last word for a vendor %s', (_what, entries, comment) => {
    expect(latestComment(entries.map(entry), 'VENDOR')?.comment).toBe(comment);
  });

  it('differ by the order first, then by cells; a price is its item`s', () => {
    const changes = {
      header: [{ field: 'xfDate', from: '2027-03-01', to: '2027-03-09' }],
      lines: [cell('S', 'qty', 10, 8), cell('S', 'unitPrice', 7.9, 8.1), cell('M', 'unitPrice', 7.9, 8.1)],
    };
    expect(differencesOf(entry({ changes }))).toEqual([
      { field: 'xfDate', from: '2027-03-01', to: '2027-03-09', of: null },
      { field: 'qty', from: 10, to: 8, of: 'KP-2210 · BLK · S' },
      { field: 'unitPrice', from: 7.9, to: 8.1, of: 'KP-2210 · BLK' },
    ]);
    expect(differencesOf(entry({}))).toEqual([]);
  });
});
