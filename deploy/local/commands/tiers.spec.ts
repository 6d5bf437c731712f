import { describe, expect, it } from '@jest/globals';
import { summary } from './tiers.js';

describe('the summary of a test run', () => {
  it('has a line a tier and ends with the sums', () => {
    const text = summary([
      { tier: 'unit', passed: 12, failed: 1, seconds: 2.04 },
      { tier: 'e2e', passed: 0, failed: 1, seconds: 0, problem: 'no test ran' },
    ]);
    expect(text.trim().split('\n')).toEqual([
      'unit            12 passed     1 failed     2.0 s',
      '  e2e              0 passed     1 failed     0.0 s  no test ran',
      '',
      '12 passed, 2 failed',
    ]);
  });
});
