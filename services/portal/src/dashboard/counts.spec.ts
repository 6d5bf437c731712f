import { describe, expect, it } from '@jest/globals';
import type { Kpis, StatusDetails } from '../api/schemas.js';
import { countIn, countOf, percentOf, shareOf } from './counts.js';

const COUNTS: Kpis = {
  new: 3,
  revision: 2,
  pending: 5,
  confirmed: 0,
  production: 0,
  shipped: 1,
  delivered: 7,
  cancelled: 0,
};
const STATUSES = [
  { status: 'New', kpiKey: 'new' },
  { status: 'In Revision', kpiKey: 'revision' },
  { status: 'Pending Approval', kpiKey: 'pending' },
  { status: 'Reopened', kpiKey: 'reopened' },
] as StatusDetails[];

describe('the count of a tile', () => {
  it('is the sum of the counts of its statuses', () => {
    expect(countIn(COUNTS, STATUSES, ['New', 'In Revision'])).toBe(5);
    expect(countIn(COUNTS, STATUSES, ['Pending Approval'])).toBe(5);
    expect(countIn(COUNTS, STATUSES, [])).toBe(0);
  });

  it('is 0 for a status of a newer version that has no count', () => {
    expect(countOf(COUNTS, 'reopened')).toBe(0);
    expect(countOf(COUNTS, 'toString')).toBe(0);
    expect(countIn(COUNTS, STATUSES, ['Reopened', 'New'])).toBe(3);
  });
});

describe('shares in percent', () => {
  it.each([
    [0, 10, 0],
    [0, 0, 0],
    [10, 10, 100],
    [5, 10, 50],
    [1, 10_000, 1.5],
  ])('give a bar of %i next to a largest bar of %i the length %d', (number, largest, share) => {
    expect(shareOf(number, largest)).toBe(share);
  });

  it.each([
    [130, 210, 62],
    [0, 210, 0],
    [210, 210, 100],
    [1, 1_000, 1],
    [999, 1_000, 99],
  ])('show %d of %d as %d percent, and 0 or 100 only for none or all', (part, all, percent) => {
    expect(percentOf(part, all)).toBe(percent);
  });
});
