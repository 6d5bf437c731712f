import { describe, expect, it } from '@jest/globals';
import { soundEvidence } from './example.js';
import { violationsOf } from './oracle.js';
import { SPOILT, approvedByPolicy, at } from './spoilt.js';

describe('the oracle', () => {
  it('reports no violation for a system that kept its promises', () => {
    expect(violationsOf(soundEvidence())).toEqual([]);
  });

  it('reports no violation for a submission that its policy approved immediately', () => {
    const evidence = soundEvidence();
    approvedByPolicy(evidence);
    expect(violationsOf(evidence)).toEqual([]);
  });

  it('accepts both an effect and no effect for a write with an unknown outcome', () => {
    const evidence = soundEvidence();
    at(evidence.operations, 2).attempts.pop();
    at(evidence.operations, 4).attempts = [{ kind: 'unknown', why: 'reset', key: null }];
    expect(violationsOf(evidence)).toEqual([]);
  });

  it.each(SPOILT)('reports %s', (_what, spoil, complaint) => {
    const evidence = soundEvidence();
    spoil(evidence);
    expect(violationsOf(evidence).join('\n')).toMatch(complaint);
  });
});
