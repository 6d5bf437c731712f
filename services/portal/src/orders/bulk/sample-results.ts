import type { BatchAnswer } from './bulk.js';

type Result = BatchAnswer['results'][number];

/** Result of a successful transition, for tests. */
export const done = (poRef: string): Result => ({
  poRef,
  status: 200,
  success: true,
  newStatusId: 200,
  newStatus: 'Pending Approval',
  newStatusZh: '待审批',
  version: 9,
  historyId: 'h',
  autoApproved: false,
  problem: null,
});

export const refused = (poRef: string, status: number, code = 'TRANSITION_NOT_ALLOWED'): Result =>
  ({
    ...done(poRef),
    status,
    success: false,
    newStatusId: null,
    newStatus: null,
    newStatusZh: null,
    version: null,
    historyId: null,
    autoApproved: null,
    problem: { code, message: `refused with ${status}`, requestId: 'r-1' },
  }) as Result;
