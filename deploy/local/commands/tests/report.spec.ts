import { describe, expect, it } from '@jest/globals';
import { slowestFiles, summary } from './report.js';

describe('the report of a test run', () => {
  it('has one line for each tier and ends with the totals', () => {
    const text = summary([
      { tier: 'unit', passed: 12, failed: 1, seconds: 2.04 },
      { tier: 'e2e', passed: 0, failed: 1, seconds: 0, problem: 'no test ran' },
    ]);
    expect(text.trim().split('\n')).toEqual([
      'unit                12 passed     1 failed     2.0 s',
      '  e2e                  0 passed     1 failed     0.0 s  no test ran',
      '',
      '12 passed, 2 failed',
    ]);
  });

  it('lists the twenty slowest test files of all tiers, slowest first', () => {
    const files = (name: string) => Array.from({ length: 15 }, (_, n) => ({ path: `${name}-${n}`, seconds: n }));
    const passed = { passed: 15, failed: 0, seconds: 100 };
    const lines = slowestFiles([
      { tier: 'lint', passed: 1, failed: 0, seconds: 300 },
      { tier: 'unit', ...passed, files: files('a') },
      { tier: 'e2e', ...passed, files: [{ path: 'slow', seconds: 99.94 }, ...files('b')] },
    ]).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '',
      'slowest files',
      '   99.9 s  e2e               slow',
      '   14.0 s  unit              a-14',
    ]);
    expect(lines).toHaveLength(1 + 1 + 20 + 1);
  });

  it('lists no files if no tier reports files', () => {
    expect(slowestFiles([{ tier: 'lint', passed: 1, failed: 0, seconds: 3 }])).toBe('');
  });
});
