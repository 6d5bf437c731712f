import { describe, expect, it } from '@jest/globals';
import { automaticApprovalOf } from './automatic-approval.js';

const change = (changes: object = {}) => ({
  action: 'APPROVE',
  actorRole: 'SYSTEM',
  comment: 'Approval policy ACME, version 3',
  ...changes,
});

describe('automaticApprovalOf', () => {
  it.each([
    ['Approval policy ACME, version 3', { policy: 'ACME', version: 3 }],
    ['Approval policy default, version 12', { policy: 'default', version: 12 }],
    ['Approval policy A, version 1, version 2', { policy: 'A, version 1', version: 2 }],
  ])('reads the policy and its version from the comment: %s', (comment, approval) => {
    expect(automaticApprovalOf(change({ comment }))).toEqual(approval);
  });

  it.each([
    ['a change by a buyer, even with such a comment', { actorRole: 'BUYER' }],
    ['a change by the inventory system', { action: 'UPDATE', comment: 'revision 3' }],
    ['an approval without a comment', { comment: null }],
    ['an approval with another comment', { comment: 'Fine' }],
  ])('returns null for %s', (_what, changes) => {
    expect(automaticApprovalOf(change(changes))).toBeNull();
  });
});
