import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anchorOf } from '../../components/history-anchor.js';
import { type HistoryEntry, differencesOf, kindsIn, latestComment, ofKind, shownWith } from './entries.js';

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
  const all = [
    entry({ id: '1', comment: 'why' }),
    entry({ id: '2', changes: { header: [], lines: [] } }),
    entry({ id: '3', fromStatusId: 100, toStatusId: 100, actorRole: 'SYSTEM' }),
  ];

  it.each([
    ['all', ['1', '2', '3']],
    ['comments', ['1']],
    ['changes', ['2']],
    ['status', ['1', '2']],
    ['source', ['3']],
  ] as const)('of kind %s are %j', (kind, ids) => {
    expect(ofKind(all, kind).map(({ id }) => id)).toEqual(ids);
  });

  it('are looked for by what tells them apart', () => {
    expect(kindsIn(all)).toEqual(['all', 'changes', 'comments', 'status', 'source']);
    expect(kindsIn([entry({}), entry({})])).toEqual(['all']);
    expect(kindsIn([])).toEqual(['all']);
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

  it('are shown so far that the one that is looked for is among them', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.integer({ min: 1, max: 20 }), (count, place, page) => {
        const entries = Array.from({ length: count }, (_, id) => entry({ id: String(id) }));
        const shown = shownWith(entries, anchorOf(String(place)), page, page);
        const needed = place < count ? place + 1 : 1;
        expect(shown).toBe(Math.ceil(needed / page) * page);
      }),
      { examples: [[20, 8, 8]] },
    );
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
