import { describe, expect, it } from '@jest/globals';
import { validEvidence } from './example.js';
import { violationsOf } from './oracle.js';
import { CORRUPTIONS, approvedByPolicy, at } from './corruptions.js';

describe('the oracle', () => {
  it('reports no violation for a system that kept its promises', () => {
    expect(violationsOf(validEvidence())).toEqual([]);
  });

  it('reports no violation for a submission that its policy approved immediately', () => {
    const evidence = validEvidence();
    approvedByPolicy(evidence);
    expect(violationsOf(evidence)).toEqual([]);
  });

  it('accepts both an effect and no effect for a write with an unknown outcome', () => {
    const evidence = validEvidence();
    at(evidence.operations, 2).attempts.pop();
    at(evidence.operations, 4).attempts = [{ kind: 'unknown', why: 'reset', key: null }];
    expect(violationsOf(evidence)).toEqual([]);
  });

  it.each(CORRUPTIONS)('reports %s', (_what, corrupt, complaint) => {
    const evidence = validEvidence();
    corrupt(evidence);
    expect(violationsOf(evidence).join('\n')).toMatch(complaint);
  });
});
