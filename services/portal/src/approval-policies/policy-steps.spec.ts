import { describe, expect, it } from '@jest/globals';
import type { PolicyChange } from '../api/approval-policies.js';
import { stepsOf } from './policy-steps.js';
import { TOLERANCES } from './sample-policies.js';

const change = (version: number, policy: PolicyChange['policy']): PolicyChange => ({
  version,
  policy,
  changedBy: { userId: 'u-9', name: 'Sam Okafor' },
  changedAt: `2027-03-0${version}T08:00:00.000Z`,
});
const own = (changes: object = {}) => ({ ...TOLERANCES, vendorCode: 'ACME', ...changes });

describe('the history of a policy', () => {
  it('lists the changes of each version, newest first', () => {
    const steps = stepsOf([
      change(4, own({ enabled: false })),
      change(3, null),
      change(2, own({ maxDaysLater: 9, maxAmount: [] })),
      change(1, own()),
    ]);
    expect(steps.map(({ version, kind }) => [version, kind])).toEqual([
      [4, 'created'],
      [3, 'deleted'],
      [2, 'changed'],
      [1, 'created'],
    ]);
    expect(steps[1]?.differences).toEqual([]);
    expect(steps[2]?.differences).toEqual([
      { field: 'maxDaysLater', from: '7', to: '9' },
      { field: 'maxAmount', from: '[{"currency":"USD","amount":"10000"}]', to: '[]' },
    ]);
    expect(steps[0]?.differences[0]).toEqual({ field: 'enabled', from: undefined, to: 'false' });
  });
});
