import { describe, expect, test } from '@jest/globals';
import type { ReadOrder } from '../store/order-rows.js';
import { hasVersion, movedUnderVersion } from './entity-tag.js';

describe('If-None-Match', () => {
  test.each(['"7"', 'W/"7"', '*', '"6","7"'])('%s matches version 7', (header) => {
    expect(hasVersion(header, 7)).toBe(true);
  });
  test.each([null, '"8"', '7', ''])('%s does not match version 7', (header) => {
    expect(hasVersion(header, 7)).toBe(false);
  });
  test('"7" does not match version 7 after its content changed, but * does', () => {
    expect([hasVersion('"7"', 7, true), hasVersion('*', 7, true)]).toEqual([false, true]);
  });
});

describe('the content of a version', () => {
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
    ['is unchanged if nothing happened', {}, later, false],
    ['has changed after the source repeated its message', { lastSyncedAt: later }, later, true],
    ['is unchanged if the last message of the source came before a write', { updatedAt: later }, later, false],
    ['has changed after the vendor was renamed', { vendorRenamedAt: later }, later, true],
    ['is unchanged if the vendor was renamed before the version', { vendorRenamedAt: made }, later, false],
    ['has changed after the next reminder moved', { remindersMovedAt: later }, later, true],
    ['is unchanged if the next reminder moved before the version', { remindersMovedAt: made }, later, false],
    ['has changed after the order became overdue', { xfDate: '2026-03-11' }, later, true],
    ['is unchanged if the order was already overdue', { xfDate: '2026-03-09' }, later, false],
    ['is unchanged if the order was shipped in time', { xfDate: '2026-03-11', statusId: 500 }, later, false],
  ])('%s', (_what, changed, now, expected) => {
    expect(movedUnderVersion({ ...order, ...changed }, now)).toBe(expected);
  });
});
