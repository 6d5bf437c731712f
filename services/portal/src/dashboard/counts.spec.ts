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

describe('what tiles count', () => {
  it('is the sum of their statuses', () => {
    expect(countIn(COUNTS, STATUSES, ['New', 'In Revision'])).toBe(5);
    expect(countIn(COUNTS, STATUSES, ['Pending Approval'])).toBe(5);
    expect(countIn(COUNTS, STATUSES, [])).toBe(0);
  });

  it('is none where a newer version has a status of which nothing is counted', () => {
    expect(countOf(COUNTS, 'reopened')).toBe(0);
    expect(countOf(COUNTS, 'toString')).toBe(0);
    expect(countIn(COUNTS, STATUSES, ['Reopened', 'New'])).toBe(3);
  });
});

describe('the length of a bar', () => {
  it.each([
    [0, 10, 0],
    [0, 0, 0],
    [10, 10, 100],
    [5, 10, 50],
    [1, 10_000, 1.5],
  ])('of %i where the most is %i', (number, largest, share) => {
    expect(shareOf(number, largest)).toBe(share);
  });

  it.each([
    [130, 210, 62],
    [0, 210, 0],
    [210, 210, 100],
    [1, 1_000, 1],
    [999, 1_000, 99],
  ])('is %d of %d as %d percent, which is none or all only where that is so', (part, all, percent) => {
    expect(percentOf(part, all)).toBe(percent);
  });
});
