import { describe, expect, it } from '@jest/globals';
import { soundEvidence } from './example.js';
import { violationsOf } from './oracle.js';
import { SPOILT, approvedByPolicy, at } from './spoilt.js';

describe('the oracle', () => {
  it('has nothing to say of a system that kept its promises', () => {
    expect(violationsOf(soundEvidence())).toEqual([]);
  });

  it('has nothing to say of a submission that its policy approved at once', () => {
    const evidence = soundEvidence();
    approvedByPolicy(evidence);
    expect(violationsOf(evidence)).toEqual([]);
  });

  it('leaves it open whether a write of unknown outcome took effect', () => {
    const evidence = soundEvidence();
    at(evidence.operations, 2).attempts.pop();
    at(evidence.operations, 4).attempts = [{ kind: 'unknown', why: 'reset', key: null }];
    expect(violationsOf(evidence)).toEqual([]);
  });

  it.each(SPOILT)('finds %s', (_what, spoil, complaint) => {
    const evidence = soundEvidence();
    spoil(evidence);
    expect(violationsOf(evidence).join('\n')).toMatch(complaint);
  });
});
