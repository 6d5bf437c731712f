import { describe, expect, it } from '@jest/globals';
import { type JestReport, commandOutcome, jestOutcome } from './run-tier.js';

const report = (changes: Partial<JestReport> = {}): JestReport => ({
  numPassedTests: 2,
  numFailedTests: 0,
  numPendingTests: 0,
  testResults: [
    { name: '/x/a.spec.ts', status: 'passed', startTime: 1_000, endTime: 3_500, assertionResults: [{}, {}] },
  ],
  ...changes,
});

describe('the result of a tier', () => {
  it('has the number of tests and the seconds of each file', () => {
    expect(jestOutcome(0, report())).toEqual({
      passed: 2,
      failed: 0,
      files: [{ path: '/x/a.spec.ts', seconds: 2.5 }],
    });
  });

  it.each<[string, number, Partial<JestReport>]>([
    ['no test ran', 0, { numPassedTests: 0, testResults: [] }],
    ['1 test(s) were skipped', 0, { numPendingTests: 1 }],
    ['jest ended with 1', 1, {}],
    [
      '1 file(s) could not run',
      1,
      { testResults: [{ name: 'b', status: 'failed', startTime: 0, endTime: 0, assertionResults: [] }] },
    ],
  ])('is a failure: %s', (problem, code, changes) => {
    expect(jestOutcome(code, report(changes))).toMatchObject({ failed: 1, problem });
  });

  it('is read from the last line of a command', () => {
    expect(commandOutcome(0, '3 passed, 9 failed\n…\n12 passed, 0 failed\n')).toEqual({ passed: 12, failed: 0 });
    expect(commandOutcome(1, '12 passed, 3 failed')).toEqual({ passed: 12, failed: 3 });
  });

  it.each([
    [1, '12 passed, 0 failed', 'ended with 1'],
    [0, '', 'ended with 0 before its tests finished'],
    [1, '12 passed, 0 failed\nno tool', 'ended with 1 before its tests finished'],
  ])('is a failure if a command exits with %s after printing %j', (code, printed, problem) => {
    expect(commandOutcome(code, printed)).toMatchObject({ failed: 1, problem });
  });
});
