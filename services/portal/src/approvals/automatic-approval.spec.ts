import { describe, expect, it } from '@jest/globals';
import { automaticApprovalOf } from './automatic-approval.js';

const act = (changes: object = {}) => ({
  action: 'APPROVE',
  actorRole: 'SYSTEM',
  comment: 'Approval policy ACME, version 3',
  ...changes,
});

describe('an automatic approval', () => {
  it.each([
    ['Approval policy ACME, version 3', { policy: 'ACME', version: 3 }],
    ['Approval policy default, version 12', { policy: 'default', version: 12 }],
    ['Approval policy A, version 1, version 2', { policy: 'A, version 1', version: 2 }],
  ])('names its policy: %s', (comment, approval) => {
    expect(automaticApprovalOf(act({ comment }))).toEqual(approval);
  });

  it.each([
    ['a buyer, whatever they write', { actorRole: 'BUYER' }],
    ['the inventory system', { action: 'UPDATE', comment: 'revision 3' }],
    ['nobody who is named', { comment: null }],
    ['something else', { comment: 'Fine' }],
  ])('is none that was given by %s', (_who, changes) => {
    expect(automaticApprovalOf(act(changes))).toBeNull();
  });
});
