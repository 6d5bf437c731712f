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

describe('timeline entries', () => {
  it('have no latest comment after an automatic approval, or for the side that wrote it', () => {
    const approval = entry({ action: 'APPROVE', actorRole: 'SYSTEM', comment: 'Approval policy ACME, version 3' });
    expect(latestComment([approval, entry({ comment: 'why' })], 'BUYER')).toBeNull();
    expect(latestComment([entry({ comment: 'why', actorRole: 'BUYER' })], 'BUYER')).toBeNull();
  });

  it.each([
    ['the one by the other side', [{ comment: 'why', actorRole: 'BUYER' }], 'why'],
    ['none if it is by the vendor`s own side', [{ comment: 'why', actorRole: 'VENDOR' }], undefined],
    ['none if the last transition has no comment', [{ actorRole: 'BUYER' }], undefined],
    ['none from an earlier transition', [{ actorRole: 'BUYER' }, { comment: 'why', actorRole: 'BUYER' }], undefined],
    ['none if there are no entries', [], undefined],
    [
      'the one from before a change by the source',
      [
        { fromStatusId: 150, toStatusId: 150, comment: 'revision 2', actorRole: 'SYSTEM' },
        { comment: 'why', actorRole: 'BUYER' },
      ],
      'why',
    ],
  ] as const)('have as latest comment for a vendor: %s', (_what, entries, comment) => {
    expect(latestComment(entries.map(entry), 'VENDOR')?.comment).toBe(comment);
  });

  it('list changes of the header first, then of cells, with one price change per line item', () => {
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

  it('list the same change of two codes twice, with the codes', () => {
    const other = { code: 'c2', rowHash: 'hash-other' };
    const lines = [cell('M', 'qty', 10, 12), cell('M', 'unitPrice', 7.9, 8.1)];
    const changes = { header: [], lines: lines.flatMap((line) => [line, { ...line, ...other }]) };
    expect(differencesOf(entry({ changes })).map(({ field, of }) => [field, of])).toEqual([
      ['qty', 'c · KP-2210 · BLK · M'],
      ['qty', 'c2 · KP-2210 · BLK · M'],
      ['unitPrice', 'c · KP-2210 · BLK'],
      ['unitPrice', 'c2 · KP-2210 · BLK'],
    ]);
  });
});
