import { describe, expect, test } from '@jest/globals';
import type { ReadOrder } from '../store/order-rows.js';
import { hasVersion, movedUnderVersion } from './entity-tag.js';

describe('If-None-Match', () => {
  test.each(['"7"', 'W/"7"', '*', '"6","7"'])('%s says that version 7 is known', (header) => {
    expect(hasVersion(header, 7)).toBe(true);
  });
  test.each([null, '"8"', '7', ''])('%s says nothing of version 7', (header) => {
    expect(hasVersion(header, 7)).toBe(false);
  });
  test('"7" says nothing of version 7 once what it shows moved, * does', () => {
    expect([hasVersion('"7"', 7, true), hasVersion('*', 7, true)]).toEqual([false, true]);
  });
});

describe('what a version shows has moved', () => {
  const made = new Date('2026-03-10T12:00:00.000Z');
  const later = new Date('2026-03-12T12:00:00.000Z');
  const order = {
    updatedAt: made,
    lastSyncedAt: made,
    vendorRenamedAt: null,
    remindersMovedAt: null,
    xfDate: '2026-03-20',
    statusId: 100,
  } as ReadOrder;

  test.each<[string, Partial<ReadOrder>, Date, boolean]>([
    ['nothing happened', {}, later, false],
    ['the source sent the same once more', { lastSyncedAt: later }, later, true],
    ['the source was before a write', { updatedAt: later }, later, false],
    ['the vendor has another name', { vendorRenamedAt: later }, later, true],
    ['the vendor had another name before', { vendorRenamedAt: made }, later, false],
    ['its next reminder moved', { remindersMovedAt: later }, later, true],
    ['its next reminder moved before', { remindersMovedAt: made }, later, false],
    ['it became late', { xfDate: '2026-03-11' }, later, true],
    ['it was late before', { xfDate: '2026-03-09' }, later, false],
    ['it was shipped in time', { xfDate: '2026-03-11', statusId: 500 }, later, false],
  ])('%s', (_what, changed, now, expected) => {
    expect(movedUnderVersion({ ...order, ...changed }, now)).toBe(expected);
  });
});
